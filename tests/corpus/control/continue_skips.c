// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int skipped = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (i == skipped)
            continue;
        sum += i;
    }
    if (sum < 10 || sum > 15)
        reach_error();
    return 0;
}
