// A hash of multiplications over symbolic bytes, of which the table of buckets is asked: writes and
// reads at offsets that nobody knows.
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static uint32_t buckets[1024];

int main(void) {
    for (int n = 0; n < 60; n++) {
        uint32_t hash = 2166136261u;
        for (int i = 0; i < 8; i++)
            hash = (hash ^ __VERIFIER_nondet_uchar()) * 16777619u;
        buckets[hash % 1024] += buckets[(hash >> 10) % 1024] + hash;
    }
    uint32_t sum = 0;
    for (int i = 0; i < 1024; i++)
        sum = (sum << 5 | sum >> 27) ^ buckets[i];
    if (sum == 0xdeadbeefu)
        reach_error();
    return 0;
}
