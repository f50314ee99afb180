// A common multiple by sums.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a < 1 || b < 1)
        return 0;
    unsigned long long x = a, y = b, u = b, v = 0;
    while (x != y) {
        while (x > y) {
            x -= y;
            v += u;
        }
        while (x < y) {
            y -= x;
            u += v;
        }
#ifdef FALSE
        if (!(x * u + y * v == (unsigned long long)a * b && x != 2))
#else
        if (!(x * u + y * v == (unsigned long long)a * b))
#endif
            reach_error();
    }
    return 0;
}
