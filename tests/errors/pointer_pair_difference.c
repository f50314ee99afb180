// check: pointer-pair
extern int __VERIFIER_nondet_int(void);

static int table[8], spare[8];

static long place(const int *element) {
    return element - table; // error: order or difference of pointers to different objects
}

int main(void) {
    int key = __VERIFIER_nondet_int();
    int *found = 0;
    for (int i = 0; i < 8; i++)
        if (table[i] == key)
            found = &table[i];
#ifdef FIXED
    if (!found)
        return 1;
#else
    if (!found)
        found = &spare[0];
#endif
    return place(found) == 3;
}
