// verdict: reachable
// inputs: 5, 250, -1
//
// Ways meet where a function returns, and where it was called.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

__attribute__((noinline)) static int digits(int x) {
    if (x < 0)
        return 0;
    if (x < 10)
        return 1;
    if (x < 100)
        return 2;
    return 3;
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++)
        total = total * 4 + digits(__VERIFIER_nondet_int());
    if (total == 1 * 16 + 3 * 4)
        reach_error();
    return 0;
}
