// check: division
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned hash = __VERIFIER_nondet_uint(), size = 0, wanted = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < wanted; i++)
        size += 4;
#ifdef FIXED
    if (size == 0)
        return 1;
#endif
    return hash % size == 3; // error: division by zero
}
