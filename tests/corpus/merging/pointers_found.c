// verdict: reachable
// inputs: 0, 5
//
// Writing through a pointer that is one or the other changes one object only.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a = 1, b = 2;
    int *p;
    if (__VERIFIER_nondet_int())
        p = &a;
    else
        p = &b;
    *p = __VERIFIER_nondet_int();
    if (a == 1 && b == 5)
        reach_error();
    return 0;
}
