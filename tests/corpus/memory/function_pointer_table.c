// verdict: reachable
// inputs: 2, 7
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static int increment(int x) { return x + 1; }
static int negate(int x) { return -x; }
static int twice(int x) { return 2 * x; }
static int (*const operations[])(int) = {increment, negate, twice};

int main(void) {
    unsigned which = __VERIFIER_nondet_uint();
    int x = __VERIFIER_nondet_int();
    if (which >= 3)
        return 0;
    if (operations[which](x) == 14 && x == 7)
        reach_error();
    return 0;
}
