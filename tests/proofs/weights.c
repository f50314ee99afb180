// Two kinds of goods, and what they weigh together.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int light = 0, heavy = 0, weight = 0;
    while (__VERIFIER_nondet_int()) {
        if (weight > 1000000)
            break;
        if (__VERIFIER_nondet_int()) {
            light++;
            weight += 3;
        } else {
            heavy++;
            weight += 5;
        }
    }
#ifdef FALSE
    if (!(weight == 3 * light + 5 * heavy && weight != 11))
#else
    if (!(weight == 3 * light + 5 * heavy && weight >= 3 * light))
#endif
        reach_error();
    return 0;
}
