// Recursion and calls through pointers: the Ackermann function, Fibonacci numbers, a table of functions.
void reach_error(void) {}

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static unsigned twice(unsigned x) { return 2 * x; }
static unsigned next(unsigned x) { return x + 1; }
static unsigned (*const steps[2])(unsigned) = {twice, next};

int main(void) {
    unsigned x = 0;
    for (int i = 0; i < 50000; i++)
        x = steps[x % 3 == 1](x) & 0xffff;
    if (ackermann(2, 60) != 123 || fibonacci(20) != 6765 || x > 0xffff)
        reach_error();
    return 0;
}
