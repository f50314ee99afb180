// How deep calls are, and how deep they were at most.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int level, most;

static void enter(void) {
    level++;
    if (level > most)
        most = level;
    while (__VERIFIER_nondet_int())
        enter();
    level--;
}

int main(void) {
    enter();
#ifdef FALSE
    if (!(level == 0 && most < 3))
#else
    if (!(level == 0 && most >= 1))
#endif
        reach_error();
    return 0;
}
