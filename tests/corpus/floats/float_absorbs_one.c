// verdict: unreachable
//
// A float has 24 bits of precision: at 2^24 adding one changes nothing.
void reach_error(void) {}

int main(void) {
    float x = 1.0f;
    int i;
    for (i = 0; i < 24; i++)
        x = x * 2.0f;
    if (x + 1.0f != x)
        reach_error();
    return 0;
}
