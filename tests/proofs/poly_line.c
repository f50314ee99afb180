// Steps along a line.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
    long long x = 0, y = 0, error = 2LL * height - width;
    while (x < width) {
        if (error < 0) {
            error += 2LL * height;
        } else {
            error += 2 * ((long long)height - width);
            y++;
        }
        x++;
#ifdef FALSE
        if (!(error == 2 * height * (x + 1) - 2 * width * y - width && y != 1))
#else
        if (!(error == 2 * height * (x + 1) - 2 * width * y - width))
#endif
            reach_error();
    }
    return 0;
}
