// check: uninitialised
extern int __VERIFIER_nondet_int(void);

static int seen;
static void take(int *place) { seen += place == &seen; }

int main(void) {
    int *place;
#ifndef FIXED
    if (__VERIFIER_nondet_int() > 3)
#endif
        place = &seen;
    take(place); // error: use of an uninitialised value
    return 0;
}
