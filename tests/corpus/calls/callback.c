// verdict: reachable
// inputs: 5
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int apply(int (*function)(int), int times, int x) {
    for (int i = 0; i < times; i++)
        x = function(x);
    return x;
}

static int triple(int x) { return 3 * x; }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x < 100 && apply(triple, 4, x) == 405)
        reach_error();
    return 0;
}
