// verdict: unreachable
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_bool() ? &a : &b;
    *p = 7;
    if (&a == &b || a + b == 3 || (a == 7 && b == 7))
        reach_error();
    return 0;
}
