// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
    if (width < 0 || height < 0 || width > 50000 || height > 50000)
        return 1;
#ifdef FIXED
    long area = (long)width * height;
#else
    long area = width * height; // error: signed overflow
#endif
    return area < 0;
}
