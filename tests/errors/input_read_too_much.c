// check: memory
#include <unistd.h>

int main(void) {
    char buffer[8];
#ifdef FIXED
    ssize_t n = read(0, buffer, sizeof buffer);
#else
    ssize_t n = read(0, buffer, 12); // error: access out of bounds
#endif
    return n > 0 ? buffer[n - 1] : 0;
}
