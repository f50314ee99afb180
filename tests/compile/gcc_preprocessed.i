// run: => 0
// run: --target puts => 1
// What gcc makes of <stdio.h>: attributes with arguments, types that clang has not, and blanks are left.
extern int puts(const char *);
typedef struct file FILE;
extern int fclose(FILE *);
extern FILE *fopen(const char *, const char *)
    __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) __attribute__ ((__access__ (__read_only__, 1)));
extern _Float32 strtof32(const char *, char **) __attribute__ ((__nothrow__));
extern _Float64x fabsf64x(_Float64x) __attribute__ ((__nothrow__, __const__));
int main(void) {
    puts("hello");
    return 0;
}
