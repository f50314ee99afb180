// verdict: unreachable
// Two pointers are returned in registers by a function that calls itself.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
    int *first, *second;
};

static int x = 1, y = 2;

static struct pair choose(int depth) {
    struct pair pair = {&x, &y};
    if (depth > 0)
        return choose(depth - 1);
    return pair;
}

int main(void) {
    int depth = __VERIFIER_nondet_int() & 3;
    struct pair pair = choose(depth);
    if (*pair.first + 2 * *pair.second != 5)
        reach_error();
    return 0;
}
