// check: memory, scope
extern int __VERIFIER_nondet_int(void);

static int sum(const int *values, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i]; // error: access to a variable that is out of scope
    return sum;
}

int main(void) {
    const int *values;
    int kept[2] = {1, 2};
    {
        int few[2] = {3, 4};
        values = few;
#ifdef FIXED
        values = kept;
#endif
    }
    if (__VERIFIER_nondet_int() > 3)
        values = kept;
    return sum(values, 2) == 9;
}
