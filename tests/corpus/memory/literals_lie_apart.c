// verdict: unreachable
// Only literals with the same end can share it; constants with names never do.
void reach_error(void) {}
static const char one[] = "same", other[] = "same";

int main(void) {
    const char *text = "abc", *longer = "xabd", *start = "ab";
    const char *volatile first = one, *volatile second = other;
    if (text == longer + 1 || text == start || first == second)
        reach_error();
    return 0;
}
