/* Models of integer functions of the C library.
 *
 * Compiled and linked as string.c is. Where the C standard leaves an overflow undefined, these
 * wrap around, as everything does that compact-se analyses.
 */
typedef __SIZE_TYPE__ size_t;

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ value) { return value < 0 ? -value : value; }

/* The position of the lowest set bit, from 1, or 0 for 0. Each bit of the position is one test,
 * combined without branches, so that a symbolic value does not fork the execution. */
static int lowest_bit(unsigned long long value) {
    unsigned long long bit = value & -value;
    int position = ((bit & 0xaaaaaaaaaaaaaaaa) != 0) | ((bit & 0xcccccccccccccccc) != 0) << 1 |
                   ((bit & 0xf0f0f0f0f0f0f0f0) != 0) << 2 |
                   ((bit & 0xff00ff00ff00ff00) != 0) << 3 |
                   ((bit & 0xffff0000ffff0000) != 0) << 4 |
                   ((bit & 0xffffffff00000000) != 0) << 5;
    return position + (value != 0);
}

int ffs(int value) { return lowest_bit((unsigned)value); }
int ffsl(long value) { return lowest_bit((unsigned long)value); }
int ffsll(long long value) { return lowest_bit((unsigned long long)value); }

/* The alignments that C's library refuses are no powers of two, or no multiples of a pointer's. */
void *aligned_alloc(size_t alignment, size_t bytes);

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    void *made;
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    made = aligned_alloc(alignment, bytes);
    if (made == (void *)0)
        return 12; /* ENOMEM */
    *block = made;
    return 0;
}

void *valloc(size_t bytes) { return aligned_alloc(4096, bytes); }

void *realloc(void *block, size_t bytes);
void compact_se_set_errno(int number);

void *reallocarray(void *block, size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        compact_se_set_errno(12 /* ENOMEM */);
        return (void *)0;
    }
    return realloc(block, all);
}

/* White space, an optional sign, decimal digits; whatever follows is ignored. */
#define NUMBER(type, s)                                                                           \
    type value = 0, negative;                                                                     \
    size_t i = 0;                                                                                 \
    while ((s[i] == ' ') | ((unsigned)s[i] - '\t' < 5))                                           \
        i++;                                                                                      \
    negative = s[i] == '-';                                                                       \
    if ((s[i] == '-') | (s[i] == '+'))                                                            \
        i++;                                                                                      \
    while ((unsigned)s[i] - '0' < 10) {                                                           \
        value = 10 * value + (s[i] - '0');                                                        \
        i++;                                                                                      \
    }                                                                                             \
    return (value ^ -negative) + negative

int atoi(const char *s) { NUMBER(int, s); }
long atol(const char *s) { NUMBER(long, s); }
long long atoll(const char *s) { NUMBER(long long, s); }

/* Quotients truncate, as everywhere in C. A division by zero traps as the operator does. */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { __INTMAX_TYPE__ quot, rem; } imaxdiv_t;

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
imaxdiv_t imaxdiv(__INTMAX_TYPE__ a, __INTMAX_TYPE__ b) { return (imaxdiv_t){a / b, a % b}; }

/* 32 bits as digits of six bits, the lowest first. */
char *l64a(long value) {
    static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static char text[7];
    unsigned rest = (unsigned)value;
    int n = 0;
    for (; rest != 0; rest >>= 6)
        text[n++] = digits[rest & 63];
    text[n] = '\0';
    return text;
}

/* x86 has pages of this size. */
int getpagesize(void) { return 4096; }

/* Of the C locale, which no program leaves (locale.c). */
size_t __ctype_get_mb_cur_max(void) { return 1; }

/* --- Random numbers from a state that the program has --------------------------------------- */

/* The GNU C library's generator; C fixes none. */
int rand_r(unsigned *state) {
    unsigned next = *state * 1103515245u + 12345u;
    int value = (int)(next / 65536 % 2048);
    next = next * 1103515245u + 12345u;
    value = value << 10 ^ (int)(next / 65536 % 1024);
    next = next * 1103515245u + 12345u;
    value = value << 10 ^ (int)(next / 65536 % 1024);
    *state = next;
    return value;
}

/* POSIX fixes this one: 48 bits, X' = 25214903917 X + 11. lcong48 and seed48, which change the
 * factor, are refused. */
static unsigned long long state_48;

static unsigned long long next_48(unsigned long long state) {
    return (25214903917u * state + 11) & 0xffffffffffff;
}

static unsigned long long next_of(unsigned short state[3]) {
    unsigned long long next = next_48(state[0] | (unsigned long long)state[1] << 16 | (unsigned long long)state[2] << 32);
    state[0] = (unsigned short)next;
    state[1] = (unsigned short)(next >> 16);
    state[2] = (unsigned short)(next >> 32);
    return next;
}

void srand48(long seed) { state_48 = (unsigned long long)(unsigned)seed << 16 | 0x330e; }
double drand48(void) { return (double)(state_48 = next_48(state_48)) / 281474976710656.0; }
long lrand48(void) { return (long)((state_48 = next_48(state_48)) >> 17); }
long mrand48(void) { return (int)((state_48 = next_48(state_48)) >> 16); }
double erand48(unsigned short state[3]) { return (double)next_of(state) / 281474976710656.0; }
long nrand48(unsigned short state[3]) { return (long)(next_of(state) >> 17); }
long jrand48(unsigned short state[3]) { return (int)(next_of(state) >> 16); }
