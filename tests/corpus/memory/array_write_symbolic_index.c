// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    int counts[4] = {0, 0, 0, 0};
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 4 || j >= 4)
        return 0;
    counts[i]++;
    counts[j]++;
    int sum = counts[0] + counts[1] + counts[2] + counts[3];
    if (sum != 2 || (i == j) != (counts[i] == 2))
        reach_error();
    return 0;
}
