// Calls in three arguments of a call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int tak(int x, int y, int z) {
    if (x <= y)
        return y;
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    int t = tak(x, y, z);
#ifdef FALSE
    if (!(x > y + 1 || t == y))
#else
    if (!(x > y || t == y))
#endif
        reach_error();
    return 0;
}
