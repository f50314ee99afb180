// check: memory
int main(void) {
    int table[10], other[2000];
    other[0] = 1;
#ifdef FIXED
    table[9] = other[0];
#else
    table[1000] = other[0]; // error: access out of bounds
#endif
    return 0;
}
