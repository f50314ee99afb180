// verdict: reachable
// inputs:
void reach_error(void) {}

int main(void) {
    const char *text = "abc", *longer = "xabc";
    if (text == longer + 1)
        reach_error();
    return 0;
}
