// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// work: 3 s
// A counter rises to ten and falls to zero, again and again; a flag says which way it goes.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 0;
    unsigned c = 0;
    int down = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!down) {
            x++;
            if (x == 10)
                down = 1;
        } else {
            x--;
            if (x == 0) {
                down = 0;
                c++;
            }
        }
    }
    if (20 * c + (down ? 20 - x : x) != n)
        reach_error();
    return 0;
}
