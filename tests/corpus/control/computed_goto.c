// verdict: reachable
// inputs: 2, 1, 0
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    static const void *const actions[] = {&&stop, &&add, &&twice};
    static const int distances[] = {0, &&add - &&stop};
    int value = 3;
    if (&&stop + distances[1] != &&add || &&stop == 0)
        return 1;
next:;
    unsigned char action = __VERIFIER_nondet_uchar();
    if (action > 2)
        return 0;
    goto *actions[action];
add:
    value++;
    goto next;
twice:
    value *= 2;
    goto next;
stop:
    if (value == 7)
        reach_error();
    return 0;
}
