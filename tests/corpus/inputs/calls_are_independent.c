// verdict: reachable
// inputs: 7, 8, 9
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum = sum * 10 + __VERIFIER_nondet_int();
    if (sum == 789)
        reach_error();
    return 0;
}
