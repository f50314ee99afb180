// A search returns what lies between its ends.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int search(int low, int high) {
    if (low >= high)
        return low;
    int middle = low + (high - low) / 2;
    if (__VERIFIER_nondet_int())
        return search(low, middle);
    return search(middle + 1, high);
}

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || low > high)
        return 0;
    int found = search(low, high);
#ifdef FALSE
    if (!(found >= low && found < high))
#else
    if (!(found >= low && found <= high))
#endif
        reach_error();
    return 0;
}
