// verdict: unreachable
//
// Conversion to int rounds towards zero, and small ints survive the way there and back.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < -20 || i > 20)
        return 0;
    double x = i;
    if ((int)x != i)
        reach_error();
    if (i >= 0 && (int)(x + 0.75) != i)
        reach_error();
    if (i <= 0 && (int)(x - 0.75) != i)
        reach_error();
    return 0;
}
