/* Stands behind the inputs of a corpus program when it runs natively, see corpus_native.rs.
 *
 * With arguments, they are the inputs in order, as decimal numbers; without, the environment
 * variable SEED chooses inputs at random, with a liking for corner cases. The exit code is 86 if
 * the target was reached, 87 if there were too few inputs, 88 if an assumption was violated. */
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static char **inputs;
static unsigned long long random_state;

__attribute__((constructor)) static void take_inputs(int argc, char **argv) {
    const char *seed = getenv("SEED");
    inputs = argv + 1;
    (void)argc;
    if (seed != NULL) {
        /* A random input may make a loop run for long or for ever. */
        struct itimerval limit = {{0, 0}, {0, 20000}};
        setitimer(ITIMER_VIRTUAL, &limit, NULL);
        random_state = 0x9e3779b97f4a7c15 * (strtoull(seed, NULL, 10) + 1);
    }
}

static unsigned long long random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static unsigned long long next_input(void) {
    if (random_state == 0) {
        const char *input = *inputs;
        if (input == NULL)
            _exit(87);
        inputs++;
        return *input == '-' ? (unsigned long long)strtoll(input, NULL, 10)
                             : strtoull(input, NULL, 10);
    }
    switch (random_bits() >> 40 & 7) {
    case 0:
        return random_bits();
    case 1:
        return (1ull << (random_bits() >> 40 & 63)) - (random_bits() >> 40 & 1);
    case 2:
        return 0 - (random_bits() >> 40) % 10;
    default:
        return (random_bits() >> 40) % 12;
    }
}

#define INPUT(name, type)                                                                         \
    type __VERIFIER_nondet_##name(void);                                                          \
    type __VERIFIER_nondet_##name(void) { return (type)next_input(); }

INPUT(bool, _Bool)
INPUT(char, char)
INPUT(uchar, unsigned char)
INPUT(schar, signed char)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(int, int)
INPUT(uint, unsigned)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(longlong, long long)
INPUT(ulonglong, unsigned long long)

/* Floats are given by their bits. */
#define FLOAT_INPUT(type, word)                                                                   \
    type __VERIFIER_nondet_##type(void);                                                          \
    type __VERIFIER_nondet_##type(void) {                                                         \
        union {                                                                                   \
            word bits;                                                                            \
            type value;                                                                           \
        } input = {(word)next_input()};                                                           \
        return input.value;                                                                       \
    }

FLOAT_INPUT(float, unsigned)
FLOAT_INPUT(double, unsigned long long)

void __VERIFIER_assume(int condition);
void __VERIFIER_assume(int condition) {
    if (!condition)
        _exit(88);
}

void reach_error(void);
void reach_error(void) { _exit(86); }
