// verdict: reachable
// inputs: 12344
// classic: unknown  # one path for each number of iterations
// 12345 iterations, of which a third each.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a = 0;
    int b = 0;
    if (n < 0 || n > 1000000)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            a++;
        else if (i % 3 == 1)
            b += 2;
    }
    if (a == 4115 && b == 8230)
        reach_error();
    return 0;
}
