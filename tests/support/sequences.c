/* Compares the models of generators of random numbers whose sequence is fixed with the C library's. The models
 * are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

int model_rand_r(unsigned *);
void model_srand48(long);
double model_drand48(void), model_erand48(unsigned short[3]);
long model_lrand48(void), model_mrand48(void), model_nrand48(unsigned short[3]), model_jrand48(unsigned short[3]);
void *model_reallocarray(void *, size_t, size_t);
void model_compact_se_set_errno(int number) { errno = number; }
void *model_realloc(void *block, size_t bytes) { return realloc(block, bytes); }
void *model_aligned_alloc(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

static void check_sequences(void) {
    unsigned our_seed = (unsigned)random_64(), their_seed = our_seed;
    unsigned short ours[3] = {(unsigned short)random_64(), (unsigned short)random_64(), (unsigned short)random_64()};
    unsigned short theirs[3];
    memcpy(theirs, ours, sizeof ours);
    for (unsigned i = below(20); i > 0; i--) {
        EXPECT(model_rand_r(&our_seed) == rand_r(&their_seed) && our_seed == their_seed, "%u", their_seed);
        switch (below(6)) {
        case 0: EXPECT(model_drand48() == drand48(), "drand48"); break;
        case 1: EXPECT(model_lrand48() == lrand48(), "lrand48"); break;
        case 2: EXPECT(model_mrand48() == mrand48(), "mrand48"); break;
        case 3: EXPECT(model_erand48(ours) == erand48(theirs), "erand48"); break;
        case 4: EXPECT(model_nrand48(ours) == nrand48(theirs), "nrand48"); break;
        case 5: EXPECT(model_jrand48(ours) == jrand48(theirs), "jrand48"); break;
        }
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "state");
    }
    if (below(2) == 0) {
        long seed = (long)random_64();
        model_srand48(seed);
        srand48(seed);
    }
}

int main(void) {
    for (int i = 0; i < 10000; i++)
        check_sequences();
    void *block = model_reallocarray(NULL, 3, 5);
    EXPECT(block != NULL, "15 bytes");
    errno = 0;
    EXPECT(model_reallocarray(block, (size_t)-1 / 2, 3) == NULL && errno == ENOMEM, "more than there are");
    free(block);
    return failures != 0;
}
