// check: memory
static int find(int n) {
#ifdef FIXED
    if (n >= 100)
        return n;
#endif
    return find(n + 1); // error: stack overflow
}

int main(void) {
    return find(0) == 0;
}
