// verdict: reachable
// inputs:
// Globals of a main that calls itself are no locals of it.
void reach_error(void) {}

static int depth;

int main(void) {
    depth++;
    if (depth < 4)
        return main();
    if (depth == 4)
        reach_error();
    return 0;
}
