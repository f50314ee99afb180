// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int i = 0, n = __VERIFIER_nondet_int();
again:
    if (i >= 5)
        goto done;
    i++;
    if (i != n)
        goto again;
done:
    if (i > 5 || i < 1)
        reach_error();
    return 0;
}
