// check: memory
extern int __VERIFIER_nondet_int(void);

static int *largest(int a, int b) {
#ifdef FIXED
    static int result;
#else
    int result;
#endif
    result = a > b ? a : b;
    int *pointer = &result;
    return pointer;
}

int main(void) {
    int *result = largest(__VERIFIER_nondet_int(), 5);
    return *result < 5; // error: access to a variable of a function that has returned
}
