// Nobody is served who has no ticket.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int given = 0, served = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            given++;
        else if (served < given)
            served++;
    }
#ifdef FALSE
    if (!(served < given || given < 2))
#else
    if (!(served <= given))
#endif
        reach_error();
    return 0;
}
