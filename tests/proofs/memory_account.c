// The fields of a structure, changed by a recursive function: what came in and is not there went out.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct account {
    int in, out, there;
} account;

static void transact(int n) {
    if (n == 0)
        return;
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 100)
        return;
    if (__VERIFIER_nondet_int() && account.there >= amount) {
        account.out += amount;
        account.there -= amount;
    } else {
        account.in += amount;
        account.there += amount;
    }
    transact(n - 1);
}

int main(void) {
    transact(__VERIFIER_nondet_int());
#ifdef FALSE
    if (!(account.in - account.out == account.there && account.there != 17))
#else
    if (!(account.in - account.out == account.there && account.there >= 0))
#endif
        reach_error();
    return 0;
}
