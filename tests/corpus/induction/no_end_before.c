// verdict: unreachable
// classic: unknown  # one path for each length
// induction: proved
//
// What was copied of a text has no end of a text in it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int text[1000], copy[1000];
    int n = 0;
    while (n < 1000) {
        text[n] = __VERIFIER_nondet_int();
        if (text[n] == 0)
            break;
        copy[n] = text[n];
        n++;
    }
    int at = __VERIFIER_nondet_int();
    if (at >= 0 && at < n && copy[at] == 0)
        reach_error();
    return 0;
}
