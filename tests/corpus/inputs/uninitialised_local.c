// verdict: reachable
// inputs: unchecked  # the value comes from memory that was never written
void reach_error(void) {}

int main(void) {
    int x;
    int *where = &x;
    if (*where == 42)
        reach_error();
    return 0;
}
