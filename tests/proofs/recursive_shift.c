// Two arguments, of which one grows as the other does.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int meet(int a, int b) {
    if (a >= b)
        return a - b;
    return meet(a + 2, b + 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > b)
        return 0;
    int over = meet(a, b);
#ifdef FALSE
    if (!(over == 0 && a != b - 3))
#else
    if (!(over == 0))
#endif
        reach_error();
    return 0;
}
