// verdict: reachable
// inputs: 101
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x % 7 == 3);
    __VERIFIER_assume(x > 100 && x < 105);
    reach_error();
    return 0;
}
