// verdict: reachable
// inputs: 5
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int v = 1;
    for (int i = 0; i < n && i < 6; i++)
        if (i & 1)
            v = v * 3;
        else
            v = v + 1;
    if (v == 22)
        reach_error();
    return 0;
}
