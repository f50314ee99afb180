// verdict: unreachable
//
// A double between 1 and 2 stays there when it becomes a float.
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= 1.0 && x <= 2.0))
        return 0;
    float y = (float)x;
    if (!(y >= 1.0f && y <= 2.0f))
        reach_error();
    return 0;
}
