// verdict: reachable
// inputs: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
// A sum of inputs comes to its bound in as many iterations only if each is one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int sum = 0, n = 0;
    while (sum < 20) {
        int part = __VERIFIER_nondet_int();
        if (part < 1 || part >= 20)
            return 0;
        sum += part;
        n++;
    }
    if (n >= 20)
        reach_error();
    return 0;
}
