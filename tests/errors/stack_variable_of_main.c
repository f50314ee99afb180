// check: memory
#ifdef FIXED
enum { BYTES = 1 << 12 };
#else
enum { BYTES = 16 << 20 };
#endif

int main(void) {
    char *block = __builtin_alloca(BYTES); // error: stack overflow
    block[0] = 5;
    return block[0] != 5;
}
