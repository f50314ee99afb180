/* The least number is its own negation, where it has one. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 && -x < 0)
        reach_error();
    return 0;
}
