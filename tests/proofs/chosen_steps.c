// Two counters by steps of different lengths, chosen by inputs, are bounded by the number of steps together.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int left = 0, right = 0, steps = 0;
    while (steps < 1000 && __VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            left += 3;
            right += 1;
        } else {
            left += 1;
            right += 5;
        }
        steps++;
    }
#ifdef FALSE
    if (left > 2 * steps)
#else
    if (left < steps || right > 5 * steps)
#endif
        reach_error();
    return 0;
}
