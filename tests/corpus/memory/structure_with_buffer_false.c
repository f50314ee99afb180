// verdict: reachable
// inputs: 64
// A write at an unknown place of a buffer comes to the field behind it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct context {
    const char *name;
    char marks[64];
    int length;
};

int main(void) {
    struct context context;
    int n = __VERIFIER_nondet_int();
    context.name = "context";
    context.length = 3;
    if (n < 0 || n > 64)
        return 0;
    context.marks[n] = 1;
    if (*context.name == 'c' && context.length == 1)
        reach_error();
    return 0;
}
