/* Models of standard input whose bytes are inputs by themselves, one a call: as system.c, for programs
 * that are analysed without an environment of their own. With one, environment.c has these
 * functions.
 */
typedef __UINT32_TYPE__ uint32_t;

uint32_t __compact_se_call_i32(const char *name, const char *function);
void __compact_se_assume(int condition);
void compact_se_may_set_errno(void);

#define RESULT(function) (int)__compact_se_call_i32(function, function)

int isatty(int file) {
    int value = RESULT("isatty");
    (void)file;
    __compact_se_assume((value == 0) | (value == 1));
    compact_se_may_set_errno();
    return value;
}

/* A byte, or EOF where the input ends or cannot be read: after that it may go on. */
#define CHARACTER_INPUT(function)                                                                  \
    int function(void) {                                                                           \
        int value = RESULT(#function);                                                             \
        __compact_se_assume((value >= -1) & (value <= 255));                                       \
        compact_se_may_set_errno();                                                                \
        return value;                                                                              \
    }

CHARACTER_INPUT(getchar)
CHARACTER_INPUT(getchar_unlocked)

/* A wide character of any locale, or WEOF. */
__WINT_TYPE__ getwchar(void) {
    int value = RESULT("getwchar");
    __compact_se_assume((value >= -1) & (value <= 0x10ffff));
    compact_se_may_set_errno();
    return (__WINT_TYPE__)value;
}
