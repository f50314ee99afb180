// verdict: reachable
// inputs:
//
// 0.1 + 0.2 is not 0.3, whichever way the compiler computes it.
void reach_error(void) {}

int main(void) {
    volatile double tenth = 0.1, fifth = 0.2;
    if (tenth + fifth != 0.3)
        reach_error();
    return 0;
}
