// verdict: reachable
// inputs: 4294967296
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
void reach_error(void) {}

int main(void) {
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned __int128 square = (unsigned __int128)x * x;
    if (square >> 64 == 1 && (unsigned long long)square == 0)
        reach_error();
    return 0;
}
