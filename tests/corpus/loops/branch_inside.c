// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int array[4];
    for (int i = 0; i < 4; i++)
        array[i] = __VERIFIER_nondet_int();
    int zeros = 0, others = 0;
    for (int i = 0; i < 4; i++)
        if (array[i] == 0)
            zeros++;
        else
            others++;
    if (zeros + others != 4)
        reach_error();
    return 0;
}
