// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int kind;
    switch (x) {
    case -1:
        kind = 0;
        break;
    case 0:
    case 1:
    case 2:
        kind = 1;
        break;
    case 1000000:
        kind = 2;
        break;
    default:
        kind = 3;
    }
    if (kind == 3 && x >= -1 && x <= 2)
        reach_error();
    return 0;
}
