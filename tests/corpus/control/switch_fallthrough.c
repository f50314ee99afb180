// verdict: reachable
// inputs: 2
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int result = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        result += 1;
        __attribute__((fallthrough));
    case 2:
        result += 10;
        __attribute__((fallthrough));
    case 3:
        result += 100;
        break;
    default:
        result = -1;
    }
    if (result == 110)
        reach_error();
    return 0;
}
