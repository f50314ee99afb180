// What a first loop fills by twos a second one empties by twos.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned filled = 0, twice = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned more = __VERIFIER_nondet_uint();
        while (more > 0) {
            filled++;
            twice += 2;
            more--;
            if (filled > 1000000)
                return 0;
        }
#ifdef FALSE
        if (filled == 3)
            break;
#endif
        while (filled > 0) {
            filled--;
            twice -= 2;
        }
    }
    if (twice != 0)
        reach_error();
    return 0;
}
