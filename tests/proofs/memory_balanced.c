// What a walk over a tree opens it closes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int opened, closed;

static void visit(int depth) {
    opened++;
    while (depth > 0 && __VERIFIER_nondet_int())
        visit(depth - 1);
    closed++;
}

int main(void) {
    visit(__VERIFIER_nondet_int());
#ifdef FALSE
    if (!(opened == closed && opened != 3))
#else
    if (!(opened == closed))
#endif
        reach_error();
    return 0;
}
