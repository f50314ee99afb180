// Insertion sort of 700 pseudo-random numbers: concrete loops with a comparison of array elements.
void reach_error(void) {}

#define N 700
static unsigned numbers[N];

int main(void) {
    unsigned x = 1;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        numbers[i] = x;
    }
    for (int i = 1; i < N; i++) {
        unsigned key = numbers[i];
        int j = i;
        while (j > 0 && numbers[j - 1] > key) {
            numbers[j] = numbers[j - 1];
            j--;
        }
        numbers[j] = key;
    }
    for (int i = 1; i < N; i++)
        if (numbers[i - 1] > numbers[i])
            reach_error();
    return 0;
}
