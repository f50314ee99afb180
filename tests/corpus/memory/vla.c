// verdict: reachable
// inputs: 5
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 6)
        return 0;
    int values[n];
    values[0] = 1;
    for (int i = 1; i < n; i++)
        values[i] = values[i - 1] * 2;
    if (values[n - 1] == 16 && sizeof values == 20)
        reach_error();
    return 0;
}
