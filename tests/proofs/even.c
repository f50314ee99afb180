// Steps of four and six, in any order.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int())
            x += 4;
        else
            x += 6;
#ifdef FALSE
    if (!(x % 4 == 0))
#else
    if (!(x % 2 == 0))
#endif
        reach_error();
    return 0;
}
