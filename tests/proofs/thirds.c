// The sum of three numbers leaves the same rest modulo 3, when they change places too.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 1, y = 0, z = 0;
    while (__VERIFIER_nondet_int()) {
        if (x > 100000 || y > 100000 || z > 100000)
            break;
        if (__VERIFIER_nondet_int()) {
            int first = x;
            x = y;
            y = z;
            z = first;
        } else if (__VERIFIER_nondet_int()) {
            y += 1;
            z += 2;
        } else {
            x += 3;
        }
    }
#ifdef FALSE
    if ((x + y + z) % 3 != 1 || y == 4)
#else
    if ((x + y + z) % 3 != 1)
#endif
        reach_error();
    return 0;
}
