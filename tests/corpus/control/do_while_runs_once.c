// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int iterations = 0;
    if (n > 3)
        return 0;
    do
        iterations++;
    while (iterations < n);
    if (iterations == 0 || iterations > 3)
        reach_error();
    return 0;
}
