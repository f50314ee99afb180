// The same arbitrary amount goes to both.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int left = 0, right = 10;
    while (__VERIFIER_nondet_int()) {
        int amount = __VERIFIER_nondet_int();
        if (amount < 0 || amount > 1000)
            continue;
        left += amount;
        right += amount;
    }
#ifdef FALSE
    if (!(right == left + 10 && left != 6))
#else
    if (!(right == left + 10 && left >= 0))
#endif
        reach_error();
    return 0;
}
