// verdict: unreachable
// annotations: decided
// Annotations belong to a call: the function is called at two places with other needs.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int clamp(int value, int most) {
    if (value < 0)
        value = 0;
    while (value > most)
        value = value - most - 1;
    return value;
}

int main(void) {
    int small = 0, large = 0;
    while (__VERIFIER_nondet_int()) {
        small = clamp(__VERIFIER_nondet_int(), 7);
        large = clamp(__VERIFIER_nondet_int(), 4095);
        if (small > 7 || large > 4095 || small < 0)
            reach_error();
    }
    return small + large;
}
