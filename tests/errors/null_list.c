// check: memory
struct node { int value; struct node *next; };
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct node last = {3, 0}, middle = {2, &last}, first = {1, &middle};
    int wanted = __VERIFIER_nondet_int();
    struct node *here = &first;
#ifdef FIXED
    while (here != 0 && here->value != wanted)
#else
    while (here->value != wanted) // error: null pointer access
#endif
        here = here->next;
    return 0;
}
