// check: memory
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month = __VERIFIER_nondet_int();
#ifdef FIXED
    if (month < 1 || month > 12)
#else
    if (month < 0 || month > 12)
#endif
        return 0;
    return days[month - 1]; // error: access out of bounds
}
