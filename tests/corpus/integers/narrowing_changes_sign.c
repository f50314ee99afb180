// verdict: reachable
// inputs: 32968
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    signed char c = (signed char)x;
    short s = (short)x;
    if (x > 0 && c == -56 && s == -32568)
        reach_error();
    return 0;
}
