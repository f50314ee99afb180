// verdict: reachable
// inputs: 10
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 12)
        return 0;
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int next = a + b;
        a = b;
        b = next;
    }
    if (a == 55)
        reach_error();
    return 0;
}
