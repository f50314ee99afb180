// check: memory
// 10,000 calls with 4 KB each.
#ifdef FIXED
enum { CALLS = 100 };
#else
enum { CALLS = 10000 };
#endif

static int depth(int n) {
    volatile char room[4096];
    room[0] = 1;
    if (n == 0)
        return 0;
    return depth(n - 1) + room[0]; // error: stack overflow
}

int main(void) {
    return depth(CALLS) == CALLS ? 0 : 1;
}
