// i stays a multiple of four, wrap-around included.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    for (unsigned k = 0; k < n; k++)
        i += 4;
    if (i % 4 != 0)
        reach_error();
    return 0;
}
