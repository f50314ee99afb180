// verdict: unreachable
// Numbers and pointers of a table at an unknown index: fields of different widths.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int minus(int n) { return -n; }
static int same(int n) { return n; }

static const struct {
    const char *name;
    int arity;
    int (*apply)(int);
} commands[4] = {{"neg", 1, minus}, {"abs", 2, same}, {"not", 1, minus}, {"id", 3, same}};

int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    if (i >= 4)
        return 0;
    if (commands[i].arity == 1 && commands[i].name[0] != 'n')
        reach_error();
    if (commands[i].arity > 1 && commands[i].apply(5) != 5)
        reach_error();
    return 0;
}
