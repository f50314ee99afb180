extern int __VERIFIER_nondet_int(void);

int both(int a, int b) { return a && b; }

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int result = 0;
    if (x > 3 && y < 2)
        result = 1;
    else if (x == -17 || !y)
        result = 2;
    if (!(x > 10 || y > 10) && x != 5)
        result += both(x, y);
    result += x > y ? 10 : 20;
    result += (x & 1) ? 3 : 4;
    int flag = x > 100 || (y > 100 && x == y);
    if (flag && x + y == 1000)
        result++;
    if (x < y && y < x)
        result = 99;
    if (0)
        result = 7;
    return result;
}
