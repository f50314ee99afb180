// verdict: reachable
// inputs: 3
//
// An assumption restricts what comes after it, not what came before.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        reach_error();
    __VERIFIER_assume(x != 3);
    return 0;
}
