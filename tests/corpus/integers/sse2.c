// verdict: unreachable
//
// Intrinsics of SSE2 for integers that clang leaves to the machine, beside the same by hand.
#include <emmintrin.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

union bits {
    __m128i all;
    unsigned char bytes[16];
    short words[8];
    unsigned short counts[8];
    int ints[4];
    unsigned long long longs[2];
};

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

int main(void) {
    unsigned char b = __VERIFIER_nondet_uchar() & 31;
    short x = b & 1 ? 300 : -129, y = -300;
    union bits p = {.words = {-2, 7, -9, 32767, -32768, 255, 256, 1}};
    union bits r = {.words = {x, 7, -9, 32767, -32768, 255, 256, 1}};
    union bits q = {.words = {y, 3, 11, 32767, -32768, -1, 5, 77}};
    union bits u = {.bytes = {b & 2 ? 130 : 8, 200, 0, 255, 128, 127, 1, 9, 250, 3, 4, 5, 6, 7, 8, 90}};
    union bits v = {.bytes = {9, 100, 255, 0, 127, 128, 1, 9, 5, 3, 40, 50, 60, 70, 80, 9}};
    union bits multiplied = {_mm_madd_epi16(p.all, q.all)};
    union bits high = {_mm_mulhi_epi16(p.all, q.all)}, unsigned_high = {_mm_mulhi_epu16(p.all, q.all)};
    union bits bytes = {_mm_packs_epi16(r.all, q.all)}, unsigned_bytes = {_mm_packus_epi16(r.all, q.all)};
    union bits words = {_mm_packs_epi32(r.all, q.all)};
    union bits average = {_mm_avg_epu8(u.all, v.all)}, distance = {_mm_sad_epu8(u.all, v.all)};
    union bits sum = {_mm_adds_epi16(r.all, q.all)}, difference = {_mm_subs_epi16(r.all, q.all)};
    union bits left = {_mm_slli_epi16(p.all, 3)}, right = {_mm_srai_epi16(p.all, 20)};
    union bits by_vector = {_mm_srl_epi16(p.all, _mm_cvtsi32_si128(b))};
    unsigned long long distances[2] = {0, 0};
    int mask = 0, is_wrong = 0;
    for (int i = 0; i < 16; i++) {
        int far = u.bytes[i] - v.bytes[i];
        distances[i / 8] += far < 0 ? -far : far;
        mask |= (u.bytes[i] >> 7) << i;
        short one = i < 8 ? r.words[i] : q.words[i - 8];
        is_wrong |= average.bytes[i] != (u.bytes[i] + v.bytes[i] + 1) / 2;
        is_wrong |= (signed char)bytes.bytes[i] != clamp(one, -128, 127);
        is_wrong |= unsigned_bytes.bytes[i] != clamp(one, 0, 255);
    }
    for (int i = 0; i < 8; i++) {
        int a = p.words[i], c = q.words[i];
        is_wrong |= high.words[i] != (short)(a * c >> 16);
        is_wrong |= unsigned_high.counts[i] != (unsigned)p.counts[i] * q.counts[i] >> 16;
        is_wrong |= sum.words[i] != clamp(r.words[i] + c, -32768, 32767);
        is_wrong |= difference.words[i] != clamp(r.words[i] - c, -32768, 32767);
        is_wrong |= left.words[i] != (short)(p.counts[i] << 3);
        is_wrong |= right.words[i] != (a < 0 ? -1 : 0);
        is_wrong |= by_vector.counts[i] != (b > 15 ? 0 : p.counts[i] >> (b & 15));
        is_wrong |= words.words[i] != clamp(i < 4 ? r.ints[i] : q.ints[i - 4], -32768, 32767);
    }
    for (int i = 0; i < 4; i++)
        is_wrong |= multiplied.ints[i] !=
                    (int)((unsigned)(p.words[2 * i] * q.words[2 * i]) +
                          (unsigned)(p.words[2 * i + 1] * q.words[2 * i + 1]));
    is_wrong |= distance.longs[0] != distances[0] || distance.longs[1] != distances[1];
    is_wrong |= _mm_movemask_epi8(u.all) != mask;
    is_wrong |= _mm_movemask_ps(_mm_castsi128_ps(q.all)) != 4;
    if (is_wrong)
        reach_error();
    return 0;
}
