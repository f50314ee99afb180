// check: memory
extern int __VERIFIER_nondet_int(void);
struct item {
    int key, value;
};
static struct item items[2];

static struct item *find(int key) { return key == 3 ? &items[1] : (struct item *)-1; }

int main(void) {
    struct item *found = find(__VERIFIER_nondet_int());
#ifdef FIXED
    if (found == (struct item *)-1)
        return 0;
#endif
    return found->key; // error: access at an address outside of all objects
}
