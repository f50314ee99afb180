// A table says which state comes next.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static const int next[4] = {2, 3, 1, 0};

int main(void) {
    int state = 0, steps = 0;
    while (__VERIFIER_nondet_int()) {
        state = next[state];
        steps++;
        if (steps == 4)
            steps = 0;
    }
#ifdef FALSE
    if (!(state != 1 || steps == 3))
#else
    if (!(state != 1 || steps == 2))
#endif
        reach_error();
    return 0;
}
