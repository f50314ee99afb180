// verdict: reachable
// inputs: -1
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if ((unsigned)x >> 28 == 15 && x >> 28 == -1)
        reach_error();
    return 0;
}
