// Two ends of an interval come together, one of them at a time.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low > high)
        return 0;
    while (low < high)
        if (__VERIFIER_nondet_int())
            low++;
        else
            high--;
#ifdef FALSE
    if (!(low != 3))
#else
    if (!(low == high))
#endif
        reach_error();
    return 0;
}
