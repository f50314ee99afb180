// The least element of a matrix is not above any.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[8][6];

int main(void) {
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 6; j++)
            a[i][j] = __VERIFIER_nondet_int();
    int least = a[0][0];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 6; j++)
            if (a[i][j] < least)
                least = a[i][j];
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 8 || j < 0 || j >= 6)
        return 0;
#ifdef FALSE
    if (!(least < a[i][j]))
#else
    if (!(least <= a[i][j]))
#endif
        reach_error();
    return 0;
}
