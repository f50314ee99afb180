extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int fold(int depth, int x) {
    if (depth == 0)
        return x;
    return fold(depth - 1, x > 0 ? x - 3 : x + 5);
}

static int classify(int x) {
    if (x < -10)
        return -1;
    if (x > 10 && x % 2 == 0)
        return 2;
    return x ? 1 : 0;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int kind = classify(x);
    if (kind == 2) {
        int y = __VERIFIER_nondet_int();
        if (classify(y) == kind && y > x)
            reach_error();
    }
    if (x >= 0 && x < 8 && fold(3, x) == 4)
        return 1;
    if (kind == 7)
        return 2;
    return 0;
}
