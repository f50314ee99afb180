// check: returns-nonnull
extern int __VERIFIER_nondet_int(void);

static int keys[3] = {3, 5, 9};

__attribute__((returns_nonnull)) static int *find(int key) {
    for (int i = 0; i < 3; i++)
        if (keys[i] == key)
            return &keys[i];
#ifdef FIXED
    return keys;
#else
    return 0;
#endif
} // error: null returned by a function that is declared to return non-null

int main(void) { return find(__VERIFIER_nondet_int()) == &keys[2]; }
