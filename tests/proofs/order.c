// Three numbers stay in order, whichever of them grows.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0, z = 0;
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int() && x < y)
            x++;
        else if (__VERIFIER_nondet_int() && y < z)
            y++;
        else
            z++;
#ifdef FALSE
    if (!(x <= y && y <= z && x < 2))
#else
    if (!(x <= y && y <= z))
#endif
        reach_error();
    return 0;
}
