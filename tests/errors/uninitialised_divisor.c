// check: uninitialised
extern int __VERIFIER_nondet_int(void);

static void read_scale(int *scale) {
    int given = __VERIFIER_nondet_int();
    if (given > 0)
        *scale = given;
}

int main(void) {
#ifdef FIXED
    int scale = 1;
#else
    int scale;
#endif
    read_scale(&scale);
    int share = 1000 / scale; // error: use of an uninitialised value
    return share == 3;
}
