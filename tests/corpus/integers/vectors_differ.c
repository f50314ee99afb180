// verdict: reachable
// inputs: 9
//
// A sum over the elements of a vector that one input decides.
typedef short words __attribute__((vector_size(16)));

extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    words a = {1, 2, 3, 4, 5, 6, 7, 8};
    a = a * x + (a >> 1);
    a[3] = 100;
    if (__builtin_reduce_add(a) == 402)
        reach_error();
    return 0;
}
