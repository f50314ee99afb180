// verdict: unreachable
//
// Two floats that are numbers are less, equal or greater.
extern float __VERIFIER_nondet_float(void);
void reach_error(void) {}

int main(void) {
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    if (x != x || y != y)
        return 0;
    if (!(x < y) && !(x == y) && !(x > y))
        reach_error();
    return 0;
}
