// verdict: reachable
// inputs: 16777217
//
// A float does not hold every int.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1 << 25)
        return 0;
    float x = i;
    if ((int)x != i)
        reach_error();
    return 0;
}
