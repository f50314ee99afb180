// check: memory
struct command {
    int *counter;
    int limits[4];
};

static int reads, writes;

static const struct command commands[3] = {{&reads, {1}}, {0, {2}}, {&writes, {3}}};

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned number = __VERIFIER_nondet_uchar();
    if (number > 2)
        return 0;
#ifdef FIXED
    if (commands[number].counter == 0)
        return 0;
#endif
    ++*commands[number].counter; // error: null pointer access
    return 0;
}
