// check: memory
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char copy[] = "word";
#ifdef FIXED
    char *text = copy;
#else
    char *text = __VERIFIER_nondet_int() ? copy : "word";
#endif
    text[0] = 'W'; // error: write to a constant
    return copy[0] == 'w';
}
