// verdict: reachable
// inputs: 16
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n)
        i += 7;
    if (i == n + 5 && n > 10)
        reach_error();
    return 0;
}
