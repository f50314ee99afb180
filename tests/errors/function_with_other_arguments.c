// check: function
extern int __VERIFIER_nondet_int(void);
typedef int handler();

static int twice(int n) { return 2 * n; }
static double half(double x) { return x / 2; }

static handler *const handlers[2] = {(handler *)twice, (handler *)half};

int main(void) {
    int which = __VERIFIER_nondet_int();
#ifdef FIXED
    if (which != 0)
#else
    if (which < 0 || which > 1)
#endif
        return 1;
    return ((int (*)(int))handlers[which])(3) == 7; // error: call through a pointer to a function of another type
}
