// check: memory
static int *table;

int main(void) {
#ifdef FIXED
    if (!table)
        return 0;
#endif
    return table[50000]; // error: null pointer access
}
