// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static int array[10];
static int *pointer;

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 10 && array[i] != 0)
        reach_error();
    if (pointer != 0)
        reach_error();
    return 0;
}
