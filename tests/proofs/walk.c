// A walk is turned back at both walls.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int place = 5;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (place < 20)
                place++;
        } else if (place > 0)
            place -= 1;
    }
#ifdef FALSE
    if (!(place != 12))
#else
    if (!(place >= 0 && place <= 20))
#endif
        reach_error();
    return 0;
}
