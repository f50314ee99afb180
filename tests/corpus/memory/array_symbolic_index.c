// verdict: reachable
// inputs: 6
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int squares[8];
    for (int i = 0; i < 8; i++)
        squares[i] = i * i;
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index >= 8)
        return 0;
    if (squares[index] == 36)
        reach_error();
    return 0;
}
