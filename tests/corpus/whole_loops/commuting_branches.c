// verdict: unreachable
// classic: unknown  # two ways in each of any number of iterations
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int wanted = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n) {
        if (i == wanted)
            i += 1;
        else
            i++;
    }
    if (n > 0 && i != n)
        reach_error();
    return 0;
}
