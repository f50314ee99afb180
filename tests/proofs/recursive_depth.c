// How deep a random tree is, against its size.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int size(int depth) {
    if (depth <= 0 || __VERIFIER_nondet_int())
        return 1;
    return 1 + size(depth - 1) + size(depth - 1);
}

int main(void) {
    int depth = __VERIFIER_nondet_int();
    int n = size(depth);
#ifdef FALSE
    if (!(n >= 1 && n != 5))
#else
    if (!(n >= 1))
#endif
        reach_error();
    return 0;
}
