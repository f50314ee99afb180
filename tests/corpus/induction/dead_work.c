// verdict: unreachable
// induction: proved
// compact: unknown  # the iterations read what earlier iterations wrote
// classic: unknown  # 2^48 iterations
// The loops have nothing to do with the question.
void reach_error(void) {}

int main(void) {
    static unsigned char cells[65536] = {1};
    unsigned kept = 3, i, j, k;
    for (i = 0; i < sizeof cells; i++)
        for (j = 0; j < sizeof cells; j++)
            for (k = 0; k < sizeof cells; k++)
                cells[i] = cells[j] + cells[k];
    if (kept != 3)
        reach_error();
    return cells[7];
}
