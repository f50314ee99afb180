extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0, i = 0;
    if (n < 0 || n > 20)
        return 1;
    for (i = 0; i < n; i++) {
        if (i == 7)
            continue;
        if (i == 15)
            break;
        sum += i;
    }
    while (sum > 50 && i > 2)
        sum -= 10;
    do {
        sum++;
        if (sum == 60)
            return 2;
    } while (sum < 40 && i-- > 0);
    if (sum > 1000)
        return 3;
    return 0;
}
