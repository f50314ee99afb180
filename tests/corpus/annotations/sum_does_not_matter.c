// verdict: unreachable
// annotations: decided
// classic: unknown  # 2^24 paths
// compact: unknown  # 2^24 paths
// work: 8 s
// The branches tell paths apart that the question does not: what the first path needed behind
// them is about another variable.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int sum = 0, level = __VERIFIER_nondet_int();
    if (level < 0 || level > 10)
        return 0;
    if (__VERIFIER_nondet_int())
        sum += 1;
    if (__VERIFIER_nondet_int())
        sum += 4;
    if (__VERIFIER_nondet_int())
        sum += 7;
    if (__VERIFIER_nondet_int())
        sum += 10;
    if (__VERIFIER_nondet_int())
        sum += 13;
    if (__VERIFIER_nondet_int())
        sum += 16;
    if (__VERIFIER_nondet_int())
        sum += 19;
    if (__VERIFIER_nondet_int())
        sum += 22;
    if (__VERIFIER_nondet_int())
        sum += 25;
    if (__VERIFIER_nondet_int())
        sum += 28;
    if (__VERIFIER_nondet_int())
        sum += 31;
    if (__VERIFIER_nondet_int())
        sum += 34;
    if (__VERIFIER_nondet_int())
        sum += 37;
    if (__VERIFIER_nondet_int())
        sum += 40;
    if (__VERIFIER_nondet_int())
        sum += 43;
    if (__VERIFIER_nondet_int())
        sum += 46;
    if (__VERIFIER_nondet_int())
        sum += 49;
    if (__VERIFIER_nondet_int())
        sum += 52;
    if (__VERIFIER_nondet_int())
        sum += 55;
    if (__VERIFIER_nondet_int())
        sum += 58;
    if (__VERIFIER_nondet_int())
        sum += 61;
    if (__VERIFIER_nondet_int())
        sum += 64;
    if (__VERIFIER_nondet_int())
        sum += 67;
    if (__VERIFIER_nondet_int())
        sum += 70;
    if (sum == 12)
        level = 10 - level;
    if (level > 10)
        reach_error();
    return sum % 2;
}
