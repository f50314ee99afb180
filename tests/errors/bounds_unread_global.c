// check: memory
static int numbers[5];

static void set(int *place) {
    place[5] = 1; // error: access out of bounds
}

int main(void) {
#ifdef FIXED
    return numbers[0];
#endif
    set(numbers);
    return 0;
}
