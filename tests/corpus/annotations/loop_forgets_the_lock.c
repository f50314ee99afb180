// verdict: reachable
// inputs: 1, 3, 1
// One of the ways around the loop keeps the lock.
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
            continue;
        locked = 0;
    }
    return sum;
}
