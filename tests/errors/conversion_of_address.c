// check: conversion
int main(void) {
    char x;
#ifdef FIXED
    unsigned char low = (unsigned char)(long)&x;
#else
    unsigned char low = (long)&x; // error: implicit conversion that changes the value
#endif
    return low == 256;
}
