// verdict: unreachable
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    void *const actions[] = {&&add, &&subtract};
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        goto *actions[__VERIFIER_nondet_uchar() % 2];
    add:
        value++;
        continue;
    subtract:
        value--;
    }
    if (value % 2)
        reach_error();
    return 0;
}
