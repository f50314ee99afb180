// Cubes by sums of sums.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int k = 0, cube = 0, square = 1, six = 6;
    while (k < n) {
#ifdef FALSE
        if (!(cube == k * k * k && cube != 27))
#else
        if (!(cube == k * k * k))
#endif
            reach_error();
        k++;
        cube += square;
        square += six;
        six += 6;
    }
    return 0;
}
