// The second counter moves in the second half only.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 50;
    while (x < 100) {
        if (x >= 50)
            y++;
        x++;
    }
#ifdef FALSE
    if (!(y == 99))
#else
    if (!(y == 100))
#endif
        reach_error();
    return 0;
}
