// verdict: reachable
// inputs:
void reach_error(void) {}

int main(void) {
    short i = 1;
    int iterations = 0;
    while (i > 0) {
        i++;
        iterations++;
    }
    if (iterations == 32767)
        reach_error();
    return 0;
}
