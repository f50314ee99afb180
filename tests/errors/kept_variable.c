// check: memory
extern int __VERIFIER_nondet_int(void);
static const int *current;
static const int none;

static void choose(int n) {
    int choice[2] = {n, -n};
    current = n == 77 ? &none : &choice[n < 0];
#ifdef FIXED
    current = &none;
#endif
}

int main(void) {
    choose(__VERIFIER_nondet_int());
    return *current; // error: access to a variable of a function that has returned
}
