// verdict: reachable
// inputs: 3, 4, 5
// classic: unknown  # any bounds
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar();
    unsigned b = __VERIFIER_nondet_uchar();
    unsigned c = __VERIFIER_nondet_uchar();
    unsigned steps = 0;
    for (unsigned i = 0; i < a; i++)
        for (unsigned j = 0; j < b; j++)
            for (unsigned k = 0; k < c; k++)
                steps += 2;
    if (steps == 120)
        reach_error();
    return 0;
}
