// check: memory, scope
extern int __VERIFIER_nondet_int(void);

static void point(int **to, int *at) { *to = at; }

int main(void) {
    int *p;
    int kept = __VERIFIER_nondet_int();
    point(&p, &kept);
    {
        int inner = kept + 1;
        point(&p, &inner);
#ifdef FIXED
        if (*p == kept)
            return 1;
        point(&p, &kept);
#endif
    }
    return *p == 3; // error: access to a variable that is out of scope
}
