// verdict: reachable
// inputs: 5, 5
// A pointer that is read from a table is one of those that were written there, or null.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct entry {
    int key;
    int value;
    struct entry *next;
};

static struct entry *table[4];
static struct entry first, second;

static void set(struct entry *entry, int key, int value) {
    entry->key = key;
    entry->value = value;
    entry->next = table[key & 3];
    table[key & 3] = entry;
}

static int get(int key) {
    for (struct entry *entry = table[key & 3]; entry; entry = entry->next)
        if (entry->key == key)
            return entry->value;
    return -1;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0)
        return 0;
    set(&first, a, 1);
    set(&second, b, 2);
    if (get(a) != 1 || get(b) != 2)
        reach_error();
    return 0;
}
