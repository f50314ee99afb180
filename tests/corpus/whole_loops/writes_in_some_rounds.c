// verdict: reachable
// inputs: 20, 3
// classic: unknown  # a way for each set of iterations
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

unsigned cells[64];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned bit = __VERIFIER_nondet_uint();
    if (n > 64)
        return 0;
    for (unsigned i = 0; i < n; i++)
        if ((i & bit) == 1)
            cells[i] = i;
    if (n == 20 && cells[17] == 17 && cells[18] == 0 && cells[19] == 0 && cells[5] == 5)
        reach_error();
    return 0;
}
