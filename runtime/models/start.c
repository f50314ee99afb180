/* What a system passes to main: a number of arguments that is not negative, and as many texts
 * behind which a null pointer stands. C allows that there is none, and older systems pass none.
 *
 * Compiled as string.c is, without debug information, and linked where main uses its parameters.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT32_TYPE__ uint32_t;

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
void *__compact_se_calloc_of_system(size_t count, size_t bytes);
void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* Linux takes 6 MB of pointers and texts, and 128 KB for one text with its end. */
enum { MOST_BYTES = 6 << 20, LONGEST = 128 << 10 };
/* So many texts are objects. Those behind them are pointers of unknown origin: the path ends where they are used. */
enum { MOST_ARGUMENTS = 8 };

int compact_se_main_argc(void) {
    uint32_t argc = __compact_se_input_i32("argc");
    __compact_se_assume(argc <= MOST_BYTES / (sizeof(char *) + 1));
    return (int)argc;
}

static char *argument(void) {
    size_t length = __compact_se_input_i32("strlen(argv)");
    char *text;
    __compact_se_assume(length < LONGEST);
    text = __compact_se_calloc_of_system(1, length + 1);
    __compact_se_uninit(text, length + 1, "argv");
    text[length] = '\0';
    return text;
}

char **compact_se_main_argv(int argc) {
    char **argv;
    argv = __compact_se_calloc_of_system((size_t)argc + 1, sizeof(char *));
    if (argc > MOST_ARGUMENTS)
        __compact_se_uninit(argv + MOST_ARGUMENTS, (size_t)(argc - MOST_ARGUMENTS) * sizeof(char *), "argv[8]");
    for (int i = 0; i < argc && i < MOST_ARGUMENTS; i++)
        argv[i] = argument();
    return argv;
}

char **compact_se_main_envp(void) { __compact_se_unsupported("the third parameter of main"); }
