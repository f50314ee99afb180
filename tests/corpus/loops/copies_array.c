// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int from[4], to[4];
    for (int i = 0; i < 4; i++)
        from[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        to[3 - i] = from[i];
    if (to[0] != from[3] || to[2] != from[1])
        reach_error();
    return 0;
}
