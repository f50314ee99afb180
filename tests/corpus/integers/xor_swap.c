// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int a = x, b = y;
    a ^= b;
    b ^= a;
    a ^= b;
    if (a != y || b != x)
        reach_error();
    return 0;
}
