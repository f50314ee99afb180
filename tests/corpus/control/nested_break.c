// verdict: reachable
// inputs: 11
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int i, j = 0;
    for (i = 0; i < 4; i++) {
        for (j = 0; j < 4; j++)
            if (i * 4 + j == x)
                break;
        if (j < 4)
            break;
    }
    if (i == 2 && j == 3)
        reach_error();
    return 0;
}
