// check: memory
#include <stdio.h>

static int write_to(FILE *to) {
    int failed = fputs("line\n", to) < 0;
#ifndef FIXED
    if (failed)
        fclose(to);
#endif
    return failed;
}

int main(void) {
    FILE *log = fopen("log.txt", "a");
    int failed;
    if (log == NULL)
        return 1;
    failed = write_to(log);
    fclose(log); // error: access to freed memory
    return failed;
}
