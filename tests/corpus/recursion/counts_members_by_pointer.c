// verdict: reachable
// inputs: unchecked  # 2000; paths of so many steps are not followed one by one
// classic: unknown  # too deep
// The same with a member of a structure, and with one call that hands another address down.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct account {
    int spare, sum, times;
};

static void add(int n, int *sum, struct account *account) {
    if (n <= 0)
        return;
    *sum += 2;
    account->times++;
    add(n - 1, sum, account);
}

int main(void) {
    struct account account = {5, 3, 0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    add(n, &account.sum, &account);
    if (account.spare == 5 && account.sum == 4003 && account.times == 2000)
        reach_error();
    return 0;
}
