// check: memory
int main(int argc, char **argv) {
#ifdef FIXED
    int n = argc > 0 ? 2 : 3;
#else
    int n = argc > 0 ? -2 : -3;
#endif
    int a[n]; // error: array on the stack whose size is not positive or too large
    a[0] = 1;
    return a[0];
}
