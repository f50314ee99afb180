/* The error is reached with an overflow on the way, and without one where x and y are negative. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x + y < -10 && y != 0)
        reach_error();
    return 0;
}
