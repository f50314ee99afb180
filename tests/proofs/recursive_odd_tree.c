// A tree in which each node has two children or none has an odd number of nodes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int size(void) {
    if (__VERIFIER_nondet_int())
        return 1;
    return 1 + size() + size();
}

int main(void) {
    int n = size();
#ifdef FALSE
    if (!(n % 4 == 1))
#else
    if (!(n % 2 == 1))
#endif
        reach_error();
    return 0;
}
