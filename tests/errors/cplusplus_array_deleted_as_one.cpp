// check: memory
// What new[] gave is not for delete.
extern "C" int __VERIFIER_nondet_int();

int main() {
    int n = __VERIFIER_nondet_int();
    int *table = new int[4];
    table[0] = n;
    if (n == 5)
#ifdef FIXED
        delete[] table;
#else
        delete table; // error: free that does not match the allocation, or with a different size
#endif
    else
        delete[] table;
    return 0;
}
