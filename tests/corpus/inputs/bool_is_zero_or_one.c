// verdict: unreachable
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    int wide = b;
    if (wide != 0 && wide != 1)
        reach_error();
    return 0;
}
