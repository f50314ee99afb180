// check: conversion
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (length > 255)
        return 1;
#endif
    unsigned char stored = length; // error: implicit conversion that changes the value
    return stored == 7;
}
