// What is counted lies between two multiples of a number; the loop's condition has two parts, so that paths join
// behind it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int packets = 0, bytes = 0;
    while (__VERIFIER_nondet_int() && bytes < 10000) {
        if (__VERIFIER_nondet_int()) {
            packets++;
            bytes += 100;
        } else if (packets >= 4) {
            packets++;
            bytes++;
        }
    }
#ifdef FALSE
    if (packets == 7 && bytes > 600)
#else
    if (packets == 7 && bytes > 700)
#endif
        reach_error();
    return 0;
}
