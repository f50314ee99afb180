// verdict: reachable
// inputs: 97, 98, 49, 50
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

enum state { START, LETTER, DIGIT, DONE };

int main(void) {
    enum state state = START;
    int length = 0;
    while (state != DONE && length < 4) {
        char c = __VERIFIER_nondet_char();
        switch (state) {
        case START:
        case LETTER:
            state = c >= 'a' && c <= 'z' ? LETTER : c >= '0' && c <= '9' ? DIGIT : DONE;
            break;
        case DIGIT:
            state = c >= '0' && c <= '9' ? DIGIT : DONE;
            break;
        case DONE:
            break;
        }
        length++;
    }
    if (state == DIGIT && length == 4)
        reach_error();
    return 0;
}
