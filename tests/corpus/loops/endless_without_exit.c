// verdict: unreachable
// classic: unknown  # the loop has no end
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (1)
        x++;
    reach_error();
    return (int)x;
}
