// check: conversion
#include <stdio.h>

int main(void) {
    double d;
    if (scanf("%lf", &d) != 1)
        return 1;
#ifdef FIXED
    if (!(d > -1000 && d < 1000))
        return 1;
#endif
    return (int)d; // error: float that does not fit the integer
}
