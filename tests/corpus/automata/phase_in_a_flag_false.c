// verdict: reachable
// inputs: 14, 5
// A flag says which phase it is, and the first one raises it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    int x = 0;
    int y = 0;
    int flag = 0;
    if (m < 0 || n < m || n > 1000000)
        return 0;
    for (int i = 0; i < n; i++) {
        if (!flag) {
            x++;
            if (x > m)
                flag = 1;
        } else {
            y++;
        }
    }
    if (x == 6 && y == 8 && m == 5)
        reach_error();
    return 0;
}
