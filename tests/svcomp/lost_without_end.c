extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *number = malloc(sizeof *number);
    *number = 1;
    number = 0;
    while (1)
        __VERIFIER_nondet_int();
}
