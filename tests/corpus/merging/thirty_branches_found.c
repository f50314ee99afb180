// verdict: reachable
// inputs: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// classic: unknown  # 2^30 paths, which --merge dynamic makes one
// compact: unknown  # the same
// work: 5 s
//
// The witness of a merged state is one path through all of the branches.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    unsigned count = 0;
    if (__VERIFIER_nondet_int())
        count += 1;
    if (__VERIFIER_nondet_int())
        count += 4;
    if (__VERIFIER_nondet_int())
        count += 7;
    if (__VERIFIER_nondet_int())
        count += 10;
    if (__VERIFIER_nondet_int())
        count += 13;
    if (__VERIFIER_nondet_int())
        count += 16;
    if (__VERIFIER_nondet_int())
        count += 19;
    if (__VERIFIER_nondet_int())
        count += 22;
    if (__VERIFIER_nondet_int())
        count += 25;
    if (__VERIFIER_nondet_int())
        count += 28;
    if (__VERIFIER_nondet_int())
        count += 31;
    if (__VERIFIER_nondet_int())
        count += 34;
    if (__VERIFIER_nondet_int())
        count += 37;
    if (__VERIFIER_nondet_int())
        count += 40;
    if (__VERIFIER_nondet_int())
        count += 43;
    if (__VERIFIER_nondet_int())
        count += 46;
    if (__VERIFIER_nondet_int())
        count += 49;
    if (__VERIFIER_nondet_int())
        count += 52;
    if (__VERIFIER_nondet_int())
        count += 55;
    if (__VERIFIER_nondet_int())
        count += 58;
    if (__VERIFIER_nondet_int())
        count += 61;
    if (__VERIFIER_nondet_int())
        count += 64;
    if (__VERIFIER_nondet_int())
        count += 67;
    if (__VERIFIER_nondet_int())
        count += 70;
    if (__VERIFIER_nondet_int())
        count += 73;
    if (__VERIFIER_nondet_int())
        count += 76;
    if (__VERIFIER_nondet_int())
        count += 79;
    if (__VERIFIER_nondet_int())
        count += 82;
    if (__VERIFIER_nondet_int())
        count += 85;
    if (__VERIFIER_nondet_int())
        count += 88;
    if (count == 777)
        reach_error();
    return 0;
}
