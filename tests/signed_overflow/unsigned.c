/* Unsigned and narrow types wrap around in C; the error is reached after both do. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned int u = (unsigned int)__VERIFIER_nondet_int();
    unsigned char c = 255;
    signed char s = 127;
    c++;
    s++;
    if (u > 5 && u + 7 < 3 && c == 0 && s == -128)
        reach_error();
    return 0;
}
