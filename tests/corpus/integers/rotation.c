// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = x;
    for (int i = 0; i < 4; i++)
        y = y << 8 | y >> 24;
    if (x != y)
        reach_error();
    return 0;
}
