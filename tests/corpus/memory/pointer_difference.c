// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int array[10] = {0};
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 10 || j < 0 || j > 10)
        return 0;
    int *p = array + i, *q = array + j;
    if (p - q != i - j || (p < q) != (i < j) || (p == q) != (i == j))
        reach_error();
    return 0;
}
