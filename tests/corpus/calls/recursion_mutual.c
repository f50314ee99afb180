// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int pong(int n);
static int ping(int n) { return n == 0 ? 0 : pong(n - 1); }
static int pong(int n) { return n == 0 ? 1 : ping(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 8)
        return 0;
    if (ping(n) != n % 2)
        reach_error();
    return 0;
}
