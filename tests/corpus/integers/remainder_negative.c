// verdict: reachable
// inputs: -8
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x % 5 == -3 && x > -10)
        reach_error();
    return 0;
}
