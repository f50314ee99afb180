// verdict: unreachable
//
// Single elements of vectors written, and vectors with a constant part.
typedef int words __attribute__((vector_size(16)));

extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    words a = {1, 2, 3, n}, b = {0, 1, 2, 3};
    b[0] = 255;
    b[2] += n;
    words c = {n, 5, n, 6};
    if (a[0] != 1 || a[3] != n || b[0] != 255 || b[1] != 1 || b[3] != 3)
        reach_error();
    if (b[2] != (int)(n + 2u) || c[1] != 5 || c[2] != n)
        reach_error();
    return 0;
}
