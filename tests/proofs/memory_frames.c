// Each call has a variable of its own, whose address it passes on.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void put(int *to, int value) {
    if (value > 100)
        put(to, value - 1);
    else
        *to = value;
}

static int tree(int n) {
    int mine = 0;
    put(&mine, n);
    if (n > 0)
        tree(n - 1);
    return mine;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int result = tree(n);
#ifdef FALSE
    if (!(result <= 99))
#else
    if (!(result <= 100 && (n > 100 || result == n)))
#endif
        reach_error();
    return 0;
}
