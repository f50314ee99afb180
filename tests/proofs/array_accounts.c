// Accounts in any order: no payment makes one negative. The loop that pays counts nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int accounts[500];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 500)
        return 0;
    for (int i = 0; i < n; i++)
        accounts[i] = 0;
    while (__VERIFIER_nondet_int()) {
        int which = __VERIFIER_nondet_int(), amount = __VERIFIER_nondet_int();
        if (which < 0 || which >= n || amount < -1000 || amount > 1000)
            break;
        if (accounts[which] < 5000 && accounts[which] + amount >= 0)
            accounts[which] += amount;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(accounts[k] >= 0 && accounts[k] != 77))
#else
    if (!(accounts[k] >= 0))
#endif
        reach_error();
    return 0;
}
