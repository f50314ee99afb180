// check: abort
extern "C" int __VERIFIER_nondet_int();

static int root(int square) {
    for (int n = 0; n < 5; n++)
        if (n * n == square)
            return n;
    throw square; // error: the program aborts
}

int main() {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n != 0 && n != 9)
        return 1;
#endif
    return root(n) > 4;
}
