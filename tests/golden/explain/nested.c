extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int cells = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            cells++;
    if (cells == 15)
        reach_error();
    return 0;
}
