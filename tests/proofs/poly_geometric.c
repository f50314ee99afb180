// The sum of a geometric series.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned z = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    unsigned long long sum = 1, power = z;
    for (unsigned k = 1; k < n; k++) {
#ifdef FALSE
        if (!(sum * z - sum - power + 1 == 0 && power != 27))
#else
        if (!(sum * z - sum - power + 1 == 0))
#endif
            reach_error();
        sum = sum * z + 1;
        power *= z;
    }
    return 0;
}
