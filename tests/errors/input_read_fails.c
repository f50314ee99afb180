// check: memory
#include <unistd.h>

int main(void) {
    char buffer[16];
    ssize_t n = read(0, buffer, sizeof buffer - 1);
#ifdef FIXED
    if (n < 0)
        return 1;
#endif
    buffer[n] = '\0'; // error: access out of bounds
    return buffer[0];
}
