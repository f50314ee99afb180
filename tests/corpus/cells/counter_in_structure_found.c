// verdict: reachable
// inputs: 701
// classic: unknown  # 701 iterations
// The counter is a member behind a pointer, so that an iteration reads what the one before wrote.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void *malloc(unsigned long);

struct counter {
    int count;
    int twice;
};

int main(void) {
    struct counter *counter = malloc(sizeof *counter);
    int n = __VERIFIER_nondet_int();
    if (!counter || n < 0 || n > 1000000)
        return 0;
    counter->count = 0;
    counter->twice = 0;
    while (counter->count < n) {
        counter->count = counter->count + 1;
        counter->twice = counter->twice + 2;
    }
    if (counter->count == 701 && counter->twice == 1402)
        reach_error();
    return 0;
}
