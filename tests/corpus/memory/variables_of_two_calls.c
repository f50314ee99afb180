// verdict: reachable
// inputs:
// A variable may lie where one of a function lay that has returned.
void reach_error(void) {}

static unsigned long first(void) {
    int x = 1;
    return (unsigned long)&x;
}

static unsigned long second(void) {
    int y = 2;
    return (unsigned long)&y;
}

int main(void) {
    if (first() == second())
        reach_error();
    return 0;
}
