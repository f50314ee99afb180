// verdict: unreachable
// An address that is put together from bytes at unknown places: one of two.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int one = 1, two = 2;
    int *pointers[2] = {&one, &two};
    int *copy;
    int which = __VERIFIER_nondet_int();
    if (which < 0 || which > 1)
        return 0;
    const char *from = (const char *)&pointers[which];
    char *to = (char *)&copy;
    for (int i = 0; i < (int)sizeof copy; i++)
        to[i] = from[i];
    if (*copy != which + 1)
        reach_error();
    return 0;
}
