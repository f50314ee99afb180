// verdict: reachable
// inputs: 1, 2, 3
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a = 0, b = 0;
    int *place = &a;
    while (1) {
        int command = __VERIFIER_nondet_int();
        // All is as before but for where the pointer leads.
        if (command == 1)
            place = &b;
        else if (command == 2)
            *place = 1;
        else if (command == 3 && b == 1)
            reach_error();
        else
            a = 0;
    }
}
