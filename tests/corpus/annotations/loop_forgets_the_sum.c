// verdict: unreachable
// annotations: decided
// What has to hold in all iterations is that the lock is free; the sum is read, but not needed.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int sum = 0, locked = 0;
    while (__VERIFIER_nondet_int()) {
        if (locked)
            reach_error();
        locked = 1;
        sum = 3 * sum + __VERIFIER_nondet_int();
        if (sum % 7 == 3)
            sum = sum ^ 5;
        locked = 0;
    }
    return sum;
}
