// check: memory
static int numbers[10];

int main(void) {
#ifdef FIXED
    return numbers[9];
#else
    return numbers[10]; // error: access out of bounds
#endif
}
