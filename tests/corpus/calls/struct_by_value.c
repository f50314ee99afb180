// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct big {
    int values[6];
};

static int change(struct big big) {
    big.values[2]++;
    return big.values[2];
}

int main(void) {
    struct big big = {{1, 2, __VERIFIER_nondet_int(), 4, 5, 6}};
    int before = big.values[2];
    int changed = change(big);
    if (big.values[2] != before || changed != before + 1)
        reach_error();
    return 0;
}
