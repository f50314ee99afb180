// check: memory
extern int __VERIFIER_nondet_int(void);

static void divide(int a, int b, int *quotient, int *rest) {
    *quotient = a / b;
#ifdef FIXED
    if (rest != 0)
#endif
        *rest = a % b; // error: null pointer access
}

int main(void) {
    int quotient, rest, n = __VERIFIER_nondet_int();
    divide(17, 5, &quotient, n == 1000 ? 0 : &rest);
    return quotient;
}
