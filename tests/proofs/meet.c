// Two ends come towards each other, one of them in each iteration.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int low = 0, high = __VERIFIER_nondet_int();
    if (high < 0)
        return 0;
    while (low < high) {
        if (__VERIFIER_nondet_int())
            low++;
        else
            high--;
    }
#ifdef FALSE
    if (!(low == high && low != 3))
#else
    if (!(low == high))
#endif
        reach_error();
    return 0;
}
