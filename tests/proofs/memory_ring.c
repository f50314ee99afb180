// Tokens move around a ring of three places, and none is lost.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int ring[3] = {5, 0, 0};
    int at = 0;
    while (__VERIFIER_nondet_int()) {
        int to = at == 2 ? 0 : at + 1;
        if (ring[at] > 0 && __VERIFIER_nondet_int()) {
            ring[at]--;
            ring[to]++;
        }
        at = to;
    }
#ifdef FALSE
    if (!(ring[0] + ring[1] + ring[2] == 5 && ring[2] <= 3))
#else
    if (!(ring[0] + ring[1] + ring[2] == 5 && ring[2] <= 5))
#endif
        reach_error();
    return 0;
}
