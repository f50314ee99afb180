// verdict: reachable
// inputs: 10
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct small {
    int x;
    char y;
};
struct big {
    long values[4];
};

static struct small make_small(int x) {
    struct small small = {x, (char)(x + 1)};
    return small;
}

static struct big make_big(long x) {
    struct big big = {{x, x + 1, x + 2, x + 3}};
    return big;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    struct small small = make_small(x);
    struct big big = make_big(x);
    if (small.x + small.y + big.values[3] == 34)
        reach_error();
    return 0;
}
