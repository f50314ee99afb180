// verdict: reachable
// inputs: 1, 1, 1, 1, 1, 1, 77, 1, 1, 1, 1, 1, 1, 1, 1, 1
// compact: unknown  # the loop has 2^15 cycles
//
// The same, and one check fails for one input.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int p1 = __VERIFIER_nondet_int(), l1;
    int p2 = __VERIFIER_nondet_int(), l2;
    int p3 = __VERIFIER_nondet_int(), l3;
    int p4 = __VERIFIER_nondet_int(), l4;
    int p5 = __VERIFIER_nondet_int(), l5;
    int p6 = __VERIFIER_nondet_int(), l6;
    int p7 = __VERIFIER_nondet_int(), l7;
    int p8 = __VERIFIER_nondet_int(), l8;
    int p9 = __VERIFIER_nondet_int(), l9;
    int p10 = __VERIFIER_nondet_int(), l10;
    int p11 = __VERIFIER_nondet_int(), l11;
    int p12 = __VERIFIER_nondet_int(), l12;
    int p13 = __VERIFIER_nondet_int(), l13;
    int p14 = __VERIFIER_nondet_int(), l14;
    int p15 = __VERIFIER_nondet_int(), l15;
    while (__VERIFIER_nondet_int() != 0) {
        l1 = 0;
        l2 = 0;
        l3 = 0;
        l4 = 0;
        l5 = 0;
        l6 = 0;
        l7 = 0;
        l8 = 0;
        l9 = 0;
        l10 = 0;
        l11 = 0;
        l12 = 0;
        l13 = 0;
        l14 = 0;
        l15 = 0;
        if (p1 != 0)
            l1 = 1;
        if (p2 != 0)
            l2 = 1;
        if (p3 != 0)
            l3 = 1;
        if (p4 != 0)
            l4 = 1;
        if (p5 != 0)
            l5 = 1;
        if (p6 != 0)
            l6 = 1;
        if (p7 != 0)
            l7 = 1;
        if (p8 != 0)
            l8 = 1;
        if (p9 != 0)
            l9 = 1;
        if (p10 != 0)
            l10 = 1;
        if (p11 != 0)
            l11 = 1;
        if (p12 != 0)
            l12 = 1;
        if (p13 != 0)
            l13 = 1;
        if (p14 != 0)
            l14 = 1;
        if (p15 != 0)
            l15 = 1;
        if (p1 != 0 && l1 != 1)
            reach_error();
        if (p2 != 0 && l2 != 1)
            reach_error();
        if (p3 != 0 && l3 != 1)
            reach_error();
        if (p4 != 0 && l4 != 1)
            reach_error();
        if (p5 != 0 && l5 != 1)
            reach_error();
        if (p6 != 0 && l6 != 1)
            reach_error();
        if (p7 != 0 && l7 != 1)
            reach_error();
        if (p8 != 0 && l8 != 1)
            reach_error();
        if (p9 != 0 && l9 != 1)
            reach_error();
        if (p10 != 0 && l10 != 1)
            reach_error();
        if (p11 != 0 && l11 != 1)
            reach_error();
        if (p12 != 0 && l12 != 1)
            reach_error();
        if (p13 != 0 && l13 != 1)
            reach_error();
        if (p14 != 0 && l14 != 1)
            reach_error();
        if (p15 != 0 && (l15 != 1 || p7 == 77))
            reach_error();
    }
    return 0;
}
