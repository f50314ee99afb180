// The inner counter never passes the outer one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n) {
        j = 0;
        while (j < i) {
            if (__VERIFIER_nondet_int())
                break;
            j++;
        }
        i++;
    }
#ifdef FALSE
    if (!(j + 1 < i || i < 3))
#else
    if (!(j <= i && i >= 0))
#endif
        reach_error();
    return 0;
}
