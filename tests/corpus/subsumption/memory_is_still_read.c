// verdict: reachable
// inputs: 1, 2, 3
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int cells[4];

int main(void) {
    int armed = 0;
    while (1) {
        int command = __VERIFIER_nondet_int();
        if (command == 1)
            armed = 1;
        else if (command == 2 && armed)
            cells[2] = 9;
        else if (command == 3 && cells[2] == 9)
            reach_error();
    }
}
