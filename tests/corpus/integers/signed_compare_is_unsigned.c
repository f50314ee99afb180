// verdict: reachable
// inputs: -1
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned limit = 10;
    if ((unsigned)x > limit && x < 0)
        reach_error();
    return 0;
}
