// Division by repeated subtraction, with the rest behind a pointer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int divide(int a, int *rest) {
    if (a < 7) {
        *rest = a;
        return 0;
    }
    return 1 + divide(a - 7, rest);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), rest = -1;
    if (a < 0)
        return 0;
    int quotient = divide(a, &rest);
#ifdef FALSE
    if (!(7 * quotient + rest == a && rest <= 5))
#else
    if (!(7 * quotient + rest == a && rest <= 6))
#endif
        reach_error();
    return 0;
}
