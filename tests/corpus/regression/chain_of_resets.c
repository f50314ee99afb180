// verdict: reachable
// inputs:
// The path counter had too few bits for the iterations until the chain is through.
void reach_error(void) {}

int main(void) {
    int a = 0, b = 0, c = 0, d = 0, e = 0;
    while (a != 5) {
        a = b;
        b = c;
        c = d;
        d = e;
        e = 5;
    }
    reach_error();
    return 0;
}
