// verdict: unreachable
// The second write of an iteration is overwritten by the first of the next one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[20];

int main(void) {
    for (int i = 0; i < 10; i++) {
        a[i] = 1;
        a[i + 1] = 2;
    }
    for (int i = 0; i < 10; i++)
        if (a[i] != 1)
            reach_error();
    if (a[10] != 2)
        reach_error();
    return 0;
}
