// verdict: reachable
// inputs: 4294967296
extern long long __VERIFIER_nondet_longlong(void);
void reach_error(void) {}

int main(void) {
    int hit = 0;
    switch (__VERIFIER_nondet_longlong()) {
    case 4294967296: /* 0 if only the lower half were compared */
        hit = 1;
        break;
    case 0:
        hit = 2;
        break;
    }
    if (hit == 1)
        reach_error();
    return 0;
}
