// check: memory
// What alloca gives lives as long as the function runs.
#ifdef FIXED
enum { BLOCKS = 10 };
#else
enum { BLOCKS = 10000 };
#endif

int main(void) {
    for (int i = 0; i < BLOCKS; i++) {
        char *block = __builtin_alloca(4096); // error: stack overflow
        block[0] = 1;
    }
    return 0;
}
