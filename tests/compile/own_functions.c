// run: => 0
// run: -DN=1 => 1 an assertion fails
// run: -DELSEWHERE -- tests/compile/own_elsewhere.c => 0
// The same of functions that clang computes itself, and of those that another file defines.
#include <assert.h>
#include <string.h>
#ifndef N
#define N 0
#endif
#ifdef ELSEWHERE
int abs(int x);
#else
int abs(int x) { return x == -1 ? 7 : x; }
#endif
double fabs(double x) { return x - 1; }
size_t strlen(const char *text) { return 42; }
void *memcpy(void *to, const void *from, size_t bytes) { return to; }
int printf(const char *format, ...) { return 5; }
int isdigit(int c) { return 9; }
double sqrt(double x) { return 3; }
double floor(double x) { return 4; }
int main(void) {
    int a[40] = {1}, b[40] = {2};
    memcpy(a, b, sizeof a);
    assert(a[0] == 1 && abs(-1) == 7 + N && fabs(-2) == -3 && strlen("abc") == 42);
    assert(printf("a\n") == 5 && isdigit('a') == 9 && sqrt(2) == 3 && floor(1.5) == 4);
}
