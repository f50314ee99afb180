// check: conversion
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
#ifdef FIXED
    if (!(x > -1000.0f && x < 1000.0f))
#else
    if (!(x > -1000.0f))
#endif
        return 1;
    int n = (int)x; // error: float that does not fit the integer
    return n == 3;
}
