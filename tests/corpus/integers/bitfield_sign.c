// verdict: reachable
// inputs: 16
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
    int small : 5;
    unsigned rest : 27;
};

int main(void) {
    struct pair pair = {0, 0};
    pair.small = __VERIFIER_nondet_int();
    pair.rest = 1;
    if (pair.small == -16 && pair.rest == 1)
        reach_error();
    return 0;
}
