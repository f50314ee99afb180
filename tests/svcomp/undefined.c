// Element 4 does not exist. C defines no execution that writes it; on a machine it may overwrite
// anything, `wanted` for example.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    int wanted = 1;
    int a[4] = {0};
    unsigned i = __VERIFIER_nondet_uint();
    if (i > 4)
        return 0;
    a[i] = 9;
    if (wanted != 1)
        reach_error();
    return 0;
}
