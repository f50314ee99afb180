// verdict: unreachable
// classic: unknown  # a path for each depth
//
// The last return decides, that of the outermost frame: not that of the innermost.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned last;

static void visit(unsigned n) {
    if (n == 0)
        return;
    visit(n - 1);
    last = n;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    visit(n);
    if (last != n)
        reach_error();
    return 0;
}
