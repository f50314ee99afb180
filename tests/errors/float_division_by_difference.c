// check: float-division
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
#ifdef FIXED
    if (x == 2)
        return 1;
#endif
    return 1 / (x - 2) > 0; // error: division of floats by zero
}
