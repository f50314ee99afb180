// verdict: reachable
// inputs: 9, 7
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int stop = __VERIFIER_nondet_int();
    int i;
    for (i = 0; i < n; i++) {
        if (i == 8)
            return 1;
        if (i == stop)
            break;
    }
    if (i == 7 && n == 9)
        reach_error();
    return 0;
}
