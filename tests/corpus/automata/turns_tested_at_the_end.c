// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// A counter is reset after three steps, in a loop that tests its bound at the end.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0;
    unsigned j = 0;
    unsigned c = 0;
    do {
        if (j < 3) {
            j++;
        } else {
            j = 0;
            c++;
        }
        i++;
    } while (i < n);
    if (4 * c + j != i)
        reach_error();
    return 0;
}
