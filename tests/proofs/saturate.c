// A sum is cut off at its limit.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int level = 0;
    while (__VERIFIER_nondet_int()) {
        int more = __VERIFIER_nondet_int();
        if (more < 0 || more > 1000)
            continue;
        level += more;
        if (level > 100)
            level = 100;
    }
#ifdef FALSE
    if (!(level != 77))
#else
    if (!(level >= 0 && level <= 100))
#endif
        reach_error();
    return 0;
}
