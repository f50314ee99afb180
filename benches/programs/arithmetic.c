// Nested concrete loops in registers only.
void reach_error(void) {}

int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 1000; i++)
        for (unsigned j = 0; j < 1000; j++)
            sum = (sum ^ i) * 31 + j;
    if (sum == 12345)
        reach_error();
    return 0;
}
