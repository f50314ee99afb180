// run: --target reach_error => 1
// run: -ftrapv --target reach_error => 0
// An overflow ends the program before the sum is looked at.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    n = n + 1;
    if (n <= 0)
        reach_error();
    return 0;
}
