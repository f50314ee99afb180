// An unsigned stock is only taken from where something is left.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned int stock = 0, taken = 0, added = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (added < 1000) {
                added++;
                stock++;
            }
        } else if (stock > 0) {
            stock--;
            taken++;
        }
    }
#ifdef FALSE
    if (!(taken <= 2))
#else
    if (!(taken <= added && stock <= 1000))
#endif
        reach_error();
    return 0;
}
