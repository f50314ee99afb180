// verdict: reachable
// inputs: 1311768464867760828
extern unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void) {}

union word {
    unsigned long whole;
    unsigned short parts[4];
};

int main(void) {
    union word word;
    word.whole = __VERIFIER_nondet_ulong();
    word.parts[1] = 0xbeef;
    if (word.whole == 0x12345678beef9abc)
        reach_error();
    return 0;
}
