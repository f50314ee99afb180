// Transfers between three accounts keep the total.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 30, b = 20, c = 10;
    while (__VERIFIER_nondet_int()) {
        int way = __VERIFIER_nondet_int();
        if (way == 0 && a > 0) {
            a--;
            b++;
        } else if (way == 1 && b > 0) {
            b--;
            c++;
        } else if (way == 2 && c > 0) {
            c--;
            a++;
        }
    }
#ifdef FALSE
    if (!(a + b + c == 60 && a > 27))
#else
    if (!(a + b + c == 60 && a >= 0))
#endif
        reach_error();
    return 0;
}
