// verdict: reachable
// inputs: unchecked  # the value comes from memory that was never written
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int array[4];
    array[0] = array[1] = array[3] = 0;
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4 && array[i] == -7)
        reach_error();
    return 0;
}
