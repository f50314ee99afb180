// check: function
static int length(const char *text) {
    int n = 0;
    while (text[n])
        n++;
    return n;
}

static int sum(long *numbers) { return (int)numbers[0]; }

int main(int argc, char **argv) {
    long word = 0x414141;
#ifdef FIXED
    int (*count)(long *) = argc > 1 ? sum : 0;
#else
    int (*count)(long *) = argc > 1 ? sum : (int (*)(long *))length;
#endif
    return count ? count(&word) == 4 : 0; // error: call through a pointer to a function of another type
}
