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
__attribute__((pure, nothrow)) uint64_t __compact_se_input_i64(const char *name);
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
        __compact_se_unsupported("call of srand after rand or srand");
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
        __compact_se_unsupported("call of srandom after random or srandom");
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

/* A few bytes are there at once, of more the system may give a part. */
long getrandom(void *to, size_t bytes, unsigned flags) {
    long given = (long)bytes;
    if (flags != 0)
        __compact_se_unsupported("getrandom with flags");
    if (bytes > 256) {
        given = LONG_RESULT("getrandom");
        __compact_se_assume((given >= 256) & ((size_t)given <= bytes));
    }
    __compact_se_uninit(to, (size_t)given, "getrandom");
    return given;
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

/* Another number each time. */
#define ANY_NUMBER(function, condition)                                                            \
    int function(void) {                                                                           \
        int number = RESULT(#function);                                                            \
        __compact_se_assume(condition);                                                            \
        return number;                                                                             \
    }

ONE_NUMBER(getpid, int, number > 0)
ONE_NUMBER(getpgrp, int, number > 0)
ONE_NUMBER(getuid, unsigned, 1)
ONE_NUMBER(geteuid, unsigned, 1)
ONE_NUMBER(getgid, unsigned, 1)
ONE_NUMBER(getegid, unsigned, 1)

/* The parent may end, and another process take its place; 0 is one that is not visible. */
ANY_NUMBER(getppid, number >= 0)

int sched_yield(void) { return 0; }

/* What the process began with is for whoever starts it to say. */
unsigned umask(unsigned new) {
    static unsigned mask;
    static uint8_t is_known;
    unsigned old = is_known ? mask : __compact_se_input_i32("umask") & 0777;
    mask = new & 0777;
    is_known = 1;
    return old;
}

/* Processors may be switched on and off while the program runs. */
ANY_NUMBER(get_nprocs, number > 0)
ANY_NUMBER(get_nprocs_conf, number > 0)

long sysconf(int name) {
    switch (name) {
    case 2: return 100;  /* _SC_CLK_TCK */
    case 30: return 4096; /* _SC_PAGESIZE */
    case 83: return get_nprocs_conf(); /* _SC_NPROCESSORS_CONF */
    case 84: return get_nprocs(); /* _SC_NPROCESSORS_ONLN */
    default: __compact_se_unsupported("sysconf for something else than pages, ticks and processors");
    }
}

/* The name of some file that is not there, of less than L_tmpnam bytes. */
char *tmpnam(char *to) {
    enum { ROOM = 20 };
    static char here[ROOM];
    if (to == NULL)
        to = here;
    __compact_se_uninit(to, ROOM - 1, "tmpnam");
    to[ROOM - 1] = '\0';
    __compact_se_assume(to[0] != '\0');
    return to;
}

/* --- Time ----------------------------------------------------------------------------------- */

/* The clock shows a time after 1970 and may be set back; it is there. */
long time(long *to) {
    long value = LONG_RESULT("time");
    __compact_se_assume(value >= 0);
    if (to != NULL)
        *to = value;
    return value;
}

/* Clocks by Linux' numbers: those of the day may be set back, the others only grow. */
enum { REALTIME = 0, REALTIME_COARSE = 5, LAST_CLOCK = 7, INVALID = 22 /* EINVAL */, BILLION = 1000000000 };

struct timespec { long seconds, nanoseconds; };
struct timeval { long seconds, microseconds; };

void compact_se_set_errno(int number);

#if __SIZEOF_LONG__ == 8
#define LONG_INPUT(name) (long)__compact_se_input_i64(name)
#else
#define LONG_INPUT(name) (long)__compact_se_input_i32(name)
#endif

int clock_gettime(int clock, struct timespec *to) {
    static struct timespec last[LAST_CLOCK + 1];
    long seconds, nanoseconds;
    if (clock < 0 || clock > LAST_CLOCK)
        __compact_se_unsupported("clock_gettime for an alarm, another process or a device");
    seconds = LONG_INPUT("clock_gettime, seconds");
    nanoseconds = LONG_INPUT("clock_gettime, nanoseconds");
    __compact_se_assume((seconds >= 0) & (nanoseconds >= 0) & (nanoseconds < BILLION));
    if (clock != REALTIME && clock != REALTIME_COARSE) {
        __compact_se_assume((seconds > last[clock].seconds) |
                            ((seconds == last[clock].seconds) & (nanoseconds >= last[clock].nanoseconds)));
        last[clock].seconds = seconds;
        last[clock].nanoseconds = nanoseconds;
    }
    to->seconds = seconds;
    to->nanoseconds = nanoseconds;
    return 0;
}

int gettimeofday(struct timeval *to, void *zone) {
    long seconds = LONG_INPUT("gettimeofday, seconds");
    long microseconds = LONG_INPUT("gettimeofday, microseconds");
    if (zone != NULL)
        __compact_se_unsupported("gettimeofday for the time zone");
    __compact_se_assume((seconds >= 0) & (microseconds >= 0) & (microseconds < 1000000));
    to->seconds = seconds;
    to->microseconds = microseconds;
    return 0;
}

/* Nothing wakes the program: see sleep. */
int nanosleep(const struct timespec *time, struct timespec *rest) {
    (void)rest;
    if ((time->seconds < 0) | (time->nanoseconds < 0) | (time->nanoseconds >= BILLION)) {
        compact_se_set_errno(INVALID);
        return -1;
    }
    return 0;
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
