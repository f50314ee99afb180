// verdict: reachable
// inputs:
void reach_error(void) {}

int main(void) {
    short i = 1;
    int rounds = 0;
    while (i > 0) {
        i++;
        rounds++;
    }
    if (rounds == 32767)
        reach_error();
    return 0;
}
