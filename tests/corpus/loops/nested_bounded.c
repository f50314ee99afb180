// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int count = 0;
    if (n > 4)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            count++;
    if (count > 6)
        reach_error();
    return 0;
}
