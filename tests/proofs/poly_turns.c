// Either of two numbers grows by the other's steps.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    long long x = 0, y = 0, area = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            area += y;
            x++;
        } else {
            area += x;
            y++;
        }
#ifdef FALSE
        if (!(area == x * y && area != 6))
#else
        if (!(area == x * y))
#endif
            reach_error();
    }
    return 0;
}
