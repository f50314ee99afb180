// Two take turns, so that one is ahead by one at most.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int first = 0, second = 0, turn = 0;
    while (__VERIFIER_nondet_int()) {
        if (turn == 0) {
            first++;
            turn = 1;
        } else {
            second++;
            turn = 0;
        }
    }
#ifdef FALSE
    if (!(first == second))
#else
    if (!(first - second == turn))
#endif
        reach_error();
    return 0;
}
