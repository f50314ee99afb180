// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int rounds = 0;
    if (n > 3)
        return 0;
    do
        rounds++;
    while (rounds < n);
    if (rounds == 0 || rounds > 3)
        reach_error();
    return 0;
}
