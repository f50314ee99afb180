// verdict: reachable
// inputs: 3
// The pointer moves, so that its offset is none that a template may keep.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void *malloc(unsigned long);

int main(void) {
    int *numbers = malloc(6 * sizeof *numbers);
    if (!numbers)
        return 0;
    int *number = numbers;
    *number = __VERIFIER_nondet_int();
    while (number < numbers + 5) {
        number[1] = number[0] + 1;
        number = number + 1;
    }
    if (numbers[5] == 8)
        reach_error();
    return 0;
}
