// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int flag = 0;
    for (int i = 0; i < n; i++)
        flag = 1 - flag;
    if (flag != 0 && flag != 1)
        reach_error();
    return 0;
}
