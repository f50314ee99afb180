// check: memory
int before = 1;
int pair[2] = {2, 3};

int main(void) {
    int *first = pair;
#ifdef FIXED
    before = 0;
#endif
    return first[-before] == 7; // error: access out of bounds
}
