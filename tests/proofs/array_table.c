// A table of two dimensions is cleared.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int t[20][30];
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            t[i][j] = i + j;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 20 || j < 0 || j >= 30)
        return 0;
#ifdef FALSE
    if (!(t[i][j] == i + j && i != 7))
#else
    if (!(t[i][j] == i + j))
#endif
        reach_error();
    return 0;
}
