// check: memory
// AddressSanitizer does not tell where an array of computed size lies.
extern int nondet(void);
volatile int sink;

#ifdef FIXED
enum { INDEX = 0 };
#else
enum { INDEX = -1000 };
#endif

int main(void) {
    int n = nondet() ? 4 : 8;
    int numbers[n];
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    sink = numbers[INDEX]; // error: access out of bounds
    return 0;
}
