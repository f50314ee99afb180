// check: memory
static int number;
typedef int action(void);
static int one(void) { return 1; }

int main(void) {
#ifdef FIXED
    action *chosen = one;
#else
    action *chosen = (action *)&number;
#endif
    return chosen(); // error: call of an address of data
}
