// check: memory
extern unsigned char __VERIFIER_nondet_uchar(void);

#ifdef FIXED
enum { BYTES = 1 << 12 };
#else
enum { BYTES = 16 << 20 };
#endif

static int read_back(int at) {
    volatile char room[BYTES];
    room[at] = 1;
    return room[at];
}

int main(void) {
    return read_back(__VERIFIER_nondet_uchar()) != 1; // error: stack overflow
}
