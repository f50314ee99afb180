extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int total = 0, twice = 1;
    for (int i = 0; i < n; i++) {
        total += i;
        twice *= 2;
    }
    if (total == 15 && twice == 3)
        reach_error();
    return 0;
}
