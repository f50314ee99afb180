// verdict: reachable
// inputs:
// A variable may lie where one of a function lay that has returned.
void reach_error(void) {}

static unsigned long first(void) {
    int x = 1, *place = &x;
    return (unsigned long)place;
}

static unsigned long second(void) {
    int y = 2, *place = &y;
    return (unsigned long)place;
}

int main(void) {
    if (first() == second())
        reach_error();
    return 0;
}
