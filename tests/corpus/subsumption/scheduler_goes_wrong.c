// verdict: reachable
// inputs: 1, 1, 2, 2, 3
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int stage_a, stage_b, done;

int main(void) {
    while (1) {
        int who = __VERIFIER_nondet_int();
        if (who == 1 && stage_a < 2)
            stage_a++;
        else if (who == 2 && stage_a == 2 && stage_b < 2)
            stage_b++;
        else if (who == 3 && stage_b == 2)
            done = 1;
        if (done)
            reach_error();
    }
}
