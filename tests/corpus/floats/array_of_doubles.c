// verdict: unreachable
//
// Doubles in memory, a loop over them, and the absolute value as programs write it.
void reach_error(void) {}

static double absolute(double x) {
    return x < 0.0 ? -x : x;
}

int main(void) {
    double a[4], sum = 0.0;
    int i;
    for (i = 0; i < 4; i++)
        a[i] = (i % 2 ? -1.0 : 1.0) * (i + 1);
    for (i = 0; i < 4; i++)
        sum += absolute(a[i]);
    if (sum != 10.0)
        reach_error();
    return 0;
}
