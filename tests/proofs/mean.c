// A sum of small numbers is at most so many times their number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = 0, sum = 0;
    while (n < 100000 && __VERIFIER_nondet_int()) {
        int next = __VERIFIER_nondet_int();
        if (next < 0 || next > 3)
            return 0;
        sum += next;
        n++;
    }
#ifdef FALSE
    if (!(sum <= 2 * n))
#else
    if (!(sum <= 3 * n && sum >= 0))
#endif
        reach_error();
    return 0;
}
