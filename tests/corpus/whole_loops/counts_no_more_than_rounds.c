// verdict: unreachable
// classic: unknown  # 2^12 ways
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    unsigned char bytes[12];
    for (int i = 0; i < 12; i++)
        bytes[i] = (unsigned char)__VERIFIER_nondet_int();
    int matches = 0;
    for (int i = 0; i < 12; i++)
        if (bytes[i] == 7)
            matches++;
    if (matches > 12)
        reach_error();
    return 0;
}
