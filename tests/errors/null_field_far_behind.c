// check: memory
struct page {
    char header[5000];
    int rows[100];
};

static struct page pages[2];

static struct page *find(unsigned number) { return number < 2 ? &pages[number] : 0; }

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    struct page *found = find(__VERIFIER_nondet_uint());
    unsigned row = __VERIFIER_nondet_uint();
    if (row >= 100)
        return 0;
#ifdef FIXED
    return found ? found->rows[row] : 0;
#else
    return found->rows[row]; // error: null pointer access
#endif
}
