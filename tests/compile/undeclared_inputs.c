// run: => 0
// run: -std=gnu89 => 0
// run: -DERROR => 1
// svcomp: => 0 true
// Inputs that are not declared have the types of their names.
void reach_error();
int main(void) {
    if (__VERIFIER_nondet_bool() > 1 || __VERIFIER_nondet_char() > 127 || __VERIFIER_nondet_short() > 32767 ||
        __VERIFIER_nondet_uchar() > 255 || nondet_char() > 127 || __VERIFIER_nondet_ushort() < 0)
        reach_error();
    if (sizeof(__VERIFIER_nondet_long()) != sizeof(long) || sizeof(__VERIFIER_nondet_double()) != 8)
        reach_error();
#ifdef ERROR
    if (__VERIFIER_nondet_short() == -32768 && __VERIFIER_nondet_ulong() > 0x7fffffff)
        reach_error();
#endif
    return 0;
}
