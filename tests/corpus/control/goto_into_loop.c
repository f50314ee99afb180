// verdict: reachable
// inputs: 5
//
// A loop with two entries, which no structured statement makes.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int iterations = 0, odd = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20)
        return 0;
    if (n % 2)
        goto second;
first:
    iterations++;
    n--;
second:
    n--;
    odd++;
    if (n > 0)
        goto first;
    if (iterations == 2 && odd == 3 && n == 0)
        reach_error();
    return 0;
}
