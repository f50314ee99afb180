extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int large = 0, seen = 0;
    for (int i = 0; i < n; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > 100)
            large++;
        if (x == 7)
            seen = 1;
    }
    if (large == 3 && seen == 1 && n == 4)
        reach_error();
    return 0;
}
