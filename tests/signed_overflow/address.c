// Quotient and remainder of an address that is a number, where clang checks them.
extern void reach_error(void);

int main(void) {
    char x;
    if ((long)&x / 4 != 0 && (long)&x % 0x7fffffffffffffff != 0)
        reach_error();
    return 0;
}
