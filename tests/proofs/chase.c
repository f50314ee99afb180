// One runs, the other follows by larger steps but not past it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int hare = 10, hound = 0;
    while (__VERIFIER_nondet_int()) {
        hare++;
        if (hare - hound > 3)
            hound += 3;
    }
#ifdef FALSE
    if (!(hound <= hare && hound < 12))
#else
    if (!(hound <= hare))
#endif
        reach_error();
    return 0;
}
