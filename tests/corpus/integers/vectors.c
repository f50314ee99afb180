// verdict: unreachable
//
// Arithmetic, comparisons, shuffles and reductions of vectors, beside the same by hand.
typedef unsigned char bytes __attribute__((vector_size(8)));
typedef int words __attribute__((vector_size(16)));

extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    words a = {x, x + 1, -x, 7};
    words b = a * 3 - 5;
    words mask = a > b;
    words larger = (a & mask) | (b & ~mask);
    words turned = __builtin_shufflevector(larger, a, 3, 2, 5, 0);
    int sum = __builtin_reduce_add(turned);
    int most = __builtin_reduce_max(turned);

    int first[4] = {x, x + 1, -x, 7}, by_hand[4];
    for (int i = 0; i < 4; i++) {
        int scaled = first[i] * 3 - 5;
        by_hand[i] = first[i] > scaled ? first[i] : scaled;
    }
    int others[4] = {by_hand[3], by_hand[2], first[1], by_hand[0]};
    int its_sum = 0, its_most = others[0];
    for (int i = 0; i < 4; i++) {
        its_sum += others[i];
        if (others[i] > its_most)
            its_most = others[i];
    }
    if (sum != its_sum || most != its_most)
        reach_error();

    bytes c = {1, 2, 3, 4, 5, 6, 7, 8};
    c[2] = x;
    c ^= x;
    if (c[2] != 0 || c[7] != (8 ^ x))
        reach_error();
    return 0;
}
