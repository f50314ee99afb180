// Bubble sort of the bytes of a file, and a check against insertion sort, as in KLEE's tutorial on
// sorting: the bubble sort stops one step too early.
//
// --sym-file numbers 4
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 4 };

static void insertion_sort(unsigned char *array, unsigned count) {
    for (unsigned i = 1; i < count; i++) {
        unsigned char item = array[i];
        unsigned j = i;
        for (; j > 0 && array[j - 1] > item; j--)
            array[j] = array[j - 1];
        array[j] = item;
    }
}

static void bubble_sort(unsigned char *array, unsigned count) {
    for (unsigned n = count; n > 2; n--)
        for (unsigned i = 1; i < n; i++)
            if (array[i - 1] > array[i]) {
                unsigned char item = array[i];
                array[i] = array[i - 1];
                array[i - 1] = item;
            }
}

int main(void) {
    unsigned char one[COUNT], other[COUNT];
    FILE *file = fopen("numbers", "rb");
    if (file == NULL) {
        perror("numbers");
        return 2;
    }
    if (fread(one, 1, COUNT, file) != COUNT)
        return 2;
    fclose(file);
    memcpy(other, one, sizeof one);
    insertion_sort(one, COUNT);
    bubble_sort(other, COUNT);
    for (unsigned i = 0; i < COUNT; i++)
        assert(one[i] == other[i]);
    return 0;
}
