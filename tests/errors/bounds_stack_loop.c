// check: memory
// One iteration too many of a loop without a constant bound.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int squares[100];
#ifdef FIXED
    for (int i = 0; i < n && i < 100; i++)
#else
    for (int i = 0; i < n && i <= 100; i++)
#endif
        squares[i] = i; // error: access out of bounds
    return 0;
}
