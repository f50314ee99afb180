extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    unsigned n = (unsigned)__VERIFIER_nondet_int() % 3;
    unsigned square = n, sum = 0;
    for (unsigned i = 0; i < n; i++) {
        square = square * square + 7;
        sum += square;
    }
    if (sum == 1)
        reach_error();
    return 0;
}
