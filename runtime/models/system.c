/* Models of library functions whose results are for the system to choose: inputs, within what C
 * and POSIX promise of them. A replay gives the recorded values in their place.
 *
 * Compiled and linked as string.c is, but without debug information, so that an input stands
 * where the program calls the function.
 *
 * `RESULT` is an input that is the result of this call; it stays where the program does not use
 * it. What the program may see only by `errno` is left to compact_se_may_set_errno.
 */
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

uint32_t __compact_se_call_i32(const char *name, const char *function);
uint64_t __compact_se_call_i64(const char *name, const char *function);
__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void *__compact_se_calloc_of_system(size_t count, size_t bytes);
void compact_se_may_set_errno(void);

#define RESULT(function) (int)__compact_se_call_i32(function, function)
#if __SIZEOF_LONG__ == 8
#define LONG_RESULT(function) (long)__compact_se_call_i64(function, function)
#else
#define LONG_RESULT(function) (long)__compact_se_call_i32(function, function)
#endif

/* --- Random numbers ------------------------------------------------------------------------- */

/* C fixes no sequence of rand, so that any is possible, but the same after the same seed: a
 * sequence that is begun anew is not followed. Before the first seed it is that of seed 1. */
static uint8_t rand_has_begun, random_has_begun;

int rand(void) {
    int value = RESULT("rand");
    __compact_se_assume(value >= 0);
    rand_has_begun = 1;
    return value;
}

void srand(unsigned seed) {
    (void)seed;
    if (rand_has_begun)
        __compact_se_unsupported("call of srand behind rand or srand");
    rand_has_begun = 1;
}

long random(void) {
    long value = LONG_RESULT("random");
    __compact_se_assume((unsigned long)value <= 0x7fffffff);
    random_has_begun = 1;
    return value;
}

void srandom(unsigned seed) {
    (void)seed;
    if (random_has_begun)
        __compact_se_unsupported("call of srandom behind random or srandom");
    random_has_begun = 1;
}

uint32_t arc4random(void) { return (uint32_t)RESULT("arc4random"); }

uint32_t arc4random_uniform(uint32_t bound) {
    uint32_t value = (uint32_t)RESULT("arc4random_uniform");
    __compact_se_assume(bound < 2 ? value == 0 : value < bound);
    return value;
}

void arc4random_buf(void *to, size_t bytes) { __compact_se_uninit(to, bytes, "arc4random_buf"); }

/* The system has random bytes for whoever asks for a few. */
int getentropy(void *to, size_t bytes) {
    if (bytes > 256) {
        compact_se_may_set_errno();
        return -1;
    }
    __compact_se_uninit(to, bytes, "getentropy");
    return 0;
}

/* --- The process ---------------------------------------------------------------------------- */

/* One number as long as the program runs: fork, setuid and their kin are refused. No results of
 * a call each, since later calls ask for nothing. */
#define ONE_NUMBER(function, type, condition)                                                      \
    type function(void) {                                                                          \
        static type number;                                                                        \
        static uint8_t is_known;                                                                   \
        if (!is_known) {                                                                           \
            number = (type)__compact_se_input_i32(#function);                                      \
            __compact_se_assume(condition);                                                        \
            is_known = 1;                                                                          \
        }                                                                                          \
        return number;                                                                             \
    }

ONE_NUMBER(getpid, int, number > 0)
ONE_NUMBER(getpgrp, int, number > 0)
ONE_NUMBER(getuid, unsigned, 1)
ONE_NUMBER(geteuid, unsigned, 1)
ONE_NUMBER(getgid, unsigned, 1)
ONE_NUMBER(getegid, unsigned, 1)

/* The parent may end, and another process take its place; 0 is one that is not visible. */
int getppid(void) {
    int value = RESULT("getppid");
    __compact_se_assume(value >= 0);
    return value;
}

int sched_yield(void) { return 0; }

/* --- Time ----------------------------------------------------------------------------------- */

/* The clock shows a time after 1970 and may be set back; it is there. */
long time(long *to) {
    long value = LONG_RESULT("time");
    __compact_se_assume(value >= 0);
    if (to != NULL)
        *to = value;
    return value;
}

/* Processor time only grows. */
long clock(void) {
    static long last;
    long value = LONG_RESULT("clock");
    __compact_se_assume(value >= last);
    last = value;
    return value;
}

/* No signal wakes the program: those that handle signals are refused. */
unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

/* --- The environment of the process --------------------------------------------------------- */

/* Whether a variable is there, and its text, is for whoever starts the program to say; the same name
 * always has the same text. setenv and its kin are refused. */
enum { MOST_VARIABLES = 8, LONGEST_NAME = 63, LONGEST_TEXT = 128 << 10 };
static struct {
    char name[LONGEST_NAME + 1];
    char *text;
} variables[MOST_VARIABLES];
static unsigned n_variables;

static char *some_text(void) {
    size_t length;
    char *text;
    if ((__compact_se_input_i32("getenv") & 1) == 0)
        return NULL;
    length = __compact_se_input_i32("strlen(getenv)");
    __compact_se_assume(length < LONGEST_TEXT);
    text = __compact_se_calloc_of_system(1, length + 1);
    __compact_se_uninit(text, length + 1, "getenv");
    text[length] = '\0';
    return text;
}

static int is_name(const char *name, const char *known) {
    size_t i = 0;
    while (name[i] != '\0' && name[i] == known[i])
        i++;
    return name[i] == known[i];
}

char *getenv(const char *name) {
    size_t length = 0;
    unsigned i;
    for (i = 0; i < n_variables; i++)
        if (is_name(name, variables[i].name))
            return variables[i].text;
    if (n_variables == MOST_VARIABLES)
        __compact_se_unsupported("more than 8 variables of the environment");
    for (; name[length] != '\0'; length++) {
        if (name[length] == '=')
            return NULL;
        if (length == LONGEST_NAME)
            __compact_se_unsupported("a variable of the environment with more than 63 characters");
        variables[n_variables].name[length] = name[length];
    }
    /* What was copied of a name that no variable can have is overwritten. */
    variables[n_variables].name[length] = '\0';
    variables[n_variables].text = some_text();
    return variables[n_variables++].text;
}

char *secure_getenv(const char *name) { return getenv(name); }
