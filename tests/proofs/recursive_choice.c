// A path through a tree of arbitrary choices is no longer than its depth.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int path(int depth) {
    if (depth == 0 || __VERIFIER_nondet_int())
        return 0;
    if (__VERIFIER_nondet_int())
        return 1 + path(depth - 1);
    return path(depth - 1);
}

int main(void) {
    int depth = __VERIFIER_nondet_int();
    if (depth < 0)
        return 0;
    int y = path(depth);
#ifdef FALSE
    if (!(y < depth || depth == 0))
#else
    if (!(y >= 0 && y <= depth))
#endif
        reach_error();
    return 0;
}
