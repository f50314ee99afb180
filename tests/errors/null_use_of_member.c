// check: null
extern int __VERIFIER_nondet_int(void);

struct device { int number; int state[4]; };
static struct device only;

static struct device *find(int number) { return number == only.number ? &only : 0; }

int main(void) {
    struct device *found = find(__VERIFIER_nondet_int());
#ifdef FIXED
    if (!found)
        return 1;
#endif
    int *state = &found->state[1]; // error: use of a null pointer
    return state == &only.state[2];
}
