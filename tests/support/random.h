/* Random inputs for the models, the same in every run. */
#include <stdint.h>
#include <stdlib.h>

#include "expect.h"

static uint64_t state = 1;

/* Sebastiano Vigna's SplitMix64. */
static uint64_t random_64(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned below(unsigned limit) { return (unsigned)(random_64() >> 33) % limit; }

#define PICK(array) (array)[below(sizeof(array) / sizeof *(array))]

/* So many times, and twenty times as many where the environment has THOROUGH. */
static inline int times(int n) { return getenv("THOROUGH") != NULL ? 20 * n : n; }
