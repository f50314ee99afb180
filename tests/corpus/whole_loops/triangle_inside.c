// verdict: reachable
// inputs: 10
// classic: unknown  # any n
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned steps = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j < n; j++)
            steps++;
    if (n < 100 && steps == 55)
        reach_error();
    return 0;
}
