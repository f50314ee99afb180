// verdict: reachable
// inputs: 7001
// classic: unknown  # 7,001 iterations
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
    if (counter->count == 7001 && counter->twice == 14002)
        reach_error();
    return 0;
}
