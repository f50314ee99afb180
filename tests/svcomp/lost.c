extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *number = malloc(sizeof *number);
    *number = __VERIFIER_nondet_int();
    if (*number != 7)
        free(number);
    return 0;
}
