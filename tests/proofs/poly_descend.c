// What odd numbers leave of a number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    long long x = a, r = 1;
    while (x > r) {
        x -= r;
        r++;
#ifdef FALSE
        if (!(2 * x + r * r - r == 2 * (long long)a && r != 6))
#else
        if (!(2 * x + r * r - r == 2 * (long long)a))
#endif
            reach_error();
    }
    return 0;
}
