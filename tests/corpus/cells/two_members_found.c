// verdict: reachable
// inputs: 400
// classic: unknown  # 400 iterations
// One loop counts at two offsets of the same object: what holds for one must not be taken for the other.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void *malloc(unsigned long);

int main(void) {
    int *members = malloc(2 * sizeof *members);
    int n = __VERIFIER_nondet_int();
    if (!members || n < 0 || n > 1000000)
        return 0;
    members[0] = 0;
    members[1] = 0;
    for (int which = 0; which < 2; which++) {
        int *member = which == 0 ? members : members + 1;
        while (*member < n + which)
            *member = *member + 1;
    }
    if (members[0] == 400 && members[1] == 401)
        reach_error();
    return 0;
}
