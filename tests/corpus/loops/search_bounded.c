// verdict: reachable
// inputs: 1, 2, 3, 4, 99, 6
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int array[6];
    for (int i = 0; i < 6; i++)
        array[i] = __VERIFIER_nondet_int();
    int at = -1;
    for (int i = 0; i < 6; i++)
        if (array[i] == 99) {
            at = i;
            break;
        }
    if (at == 4)
        reach_error();
    return 0;
}
