// check: memory
#include <stdio.h>

int main(void) {
    FILE *log = fopen("log.txt", "w");
#ifdef FIXED
    if (log == NULL) {
        fprintf(stderr, "no %s\n", "log.txt");
        return 1;
    }
#endif
    fprintf(log, "begin\n"); // error: null pointer access
    fclose(log);
    return 0;
}
