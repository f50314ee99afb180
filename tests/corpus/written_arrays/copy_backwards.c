// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}
char from[30], to[30];

int main(void) {
    int at = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (at < 0 || at >= 30 || k < 0 || k >= 30)
        return 0;
    from[at] = __VERIFIER_nondet_char();
    char *p = from, *q = to + 30;
    while (p < from + 30)
        *--q = *p++;
    if (to[29 - k] != from[k])
        reach_error();
    return 0;
}
