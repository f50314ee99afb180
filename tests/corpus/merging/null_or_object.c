// verdict: unreachable
//
// A pointer that is null on one side is compared case by case.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a = 1;
    int *p = 0;
    int condition = __VERIFIER_nondet_int();
    if (condition > 3)
        p = &a;
    if ((p == 0) != (condition <= 3))
        reach_error();
    if (p && *p != 1)
        reach_error();
    return 0;
}
