// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static void sort(int *low, int *high) {
    if (*low > *high) {
        int swapped = *low;
        *low = *high;
        *high = swapped;
    }
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    sort(&a, &b);
    sort(&b, &c);
    sort(&a, &b);
    if (a > b || b > c)
        reach_error();
    return 0;
}
