// verdict: reachable
// inputs: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
// classic: unknown  # 40 values have to be read, each on two ways
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int even[100];

// The third even number of those that are read stands at even[2], and there are no more of them than 39.
int main(void) {
    int n = 0;
    for (int i = 0; i < 40; i++) {
        int x = __VERIFIER_nondet_int();
        if ((x & 1) == 0) {
            even[n] = n + 100;
            n++;
        }
    }
    if (n == 39 && even[2] == 102 && even[39] == 0)
        reach_error();
    return 0;
}
