// verdict: unreachable
// All is known beforehand; folded, the loops would forget it.
void reach_error(void) {}

int main(void) {
    int values[9] = {5, 3, 8, 1, 9, 2, 7, 4, 6};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j + 1 < 9 - i; j++)
            if (values[j] > values[j + 1]) {
                int kept = values[j];
                values[j] = values[j + 1];
                values[j + 1] = kept;
            }
    for (int i = 0; i < 9; i++)
        if (values[i] != i + 1)
            reach_error();
    return 0;
}
