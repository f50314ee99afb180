// verdict: reachable
// inputs: 1, -128, 255, -32768, 65535, -2147483648, 4294967295, -1, 9223372036854775808, 5
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
void reach_error(void) {}

int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    char c = __VERIFIER_nondet_char();
    unsigned char uc = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    unsigned short us = __VERIFIER_nondet_ushort();
    int i = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    long l = __VERIFIER_nondet_long();
    unsigned long ul = __VERIFIER_nondet_ulong();
    long long ll = __VERIFIER_nondet_longlong();
    if (b && c == -128 && uc == 255 && s == -32768 && us == 65535 && i == -2147483647 - 1)
        if (u == 4294967295u && l == -1 && ul == 1ul << 63 && ll == 5)
            reach_error();
    return 0;
}
