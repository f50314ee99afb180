// Both stay positive where each is added to the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 1, y = 1;
    while (__VERIFIER_nondet_int()) {
        x += y;
        if (__VERIFIER_nondet_int())
            y += x;
    }
#ifdef FALSE
    if (!(x >= y))
#else
    if (!(x >= 1 && y >= 1))
#endif
        reach_error();
    return 0;
}
