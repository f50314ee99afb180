// A stack of at most ten numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int stack[10], top = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && top < 10)
            stack[top++] = __VERIFIER_nondet_int() % 5;
        else if (top > 0)
            top--;
    }
#ifdef FALSE
    if (!(top == 0 || stack[top - 1] < 4))
#else
    if (!(top == 0 || (stack[top - 1] < 5 && top <= 10)))
#endif
        reach_error();
    return 0;
}
