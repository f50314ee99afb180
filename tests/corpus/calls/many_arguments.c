// verdict: reachable
// inputs: 5
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static long combine(char a, short b, int c, long d, char e, short f, int g, long h, int i, int j) {
    return a + b + c + d + e + f + g + h + i * 10 + j * 100;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (combine(1, 2, 3, 4, 5, 6, 7, 8, x, 1) == 186)
        reach_error();
    return 0;
}
