// verdict: unreachable
// What is made in a block is unmade where it is left, however that happens.
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static int n_open;
struct Guard {
    Guard() { n_open++; }
    Guard(const Guard &) { n_open++; }
    ~Guard() { n_open--; }
};

static int leave(int n, Guard) {
    for (int i = 0; i < 3; i++) {
        Guard inner;
        if (i == n)
            return i;
        if (n == 7)
            break;
    }
    return -1;
}

int main() {
    int n = __VERIFIER_nondet_int();
    {
        Guard outer;
        leave(n, outer);
        if (n_open != 1)
            reach_error();
    }
    if (n_open != 0)
        reach_error();
    return 0;
}
