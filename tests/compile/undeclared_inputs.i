// run: => 0
// The same where a file is preprocessed already, for which clang reads no further header.
void reach_error();
int main(void) {
    if (__VERIFIER_nondet_bool() > 1 || __VERIFIER_nondet_char() > 127 || __VERIFIER_nondet_short() > 32767 ||
        __VERIFIER_nondet_uchar() > 255 || nondet_char() > 127 || __VERIFIER_nondet_ushort() < 0)
        reach_error();
    if (sizeof(__VERIFIER_nondet_long()) != sizeof(long) || sizeof(__VERIFIER_nondet_double()) != 8)
        reach_error();
    return 0;
}
