// verdict: unreachable
//
// Sizes of objects and whether values are constants, as clang says without optimisation.
struct s {
    char a[4], b[12];
};

extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    const unsigned long unknown = -1;
    unsigned char i = __VERIFIER_nondet_uchar() & 3;
    struct s x;
    char buffer[10], *kept = buffer, *part = i ? buffer : x.b;
    if (__builtin_object_size(part, 0) != unknown || __builtin_object_size(kept, 0) != unknown)
        reach_error();
    if (__builtin_object_size(buffer, 0) != 10 || __builtin_object_size(x.b + 1, 1) != 11)
        reach_error();
    if (__builtin_object_size(&x.a[1], 0) != 15 || __builtin_object_size(part, 2) != 0)
        reach_error();
    if (__builtin_dynamic_object_size(kept, 0) != unknown || __builtin_constant_p(i))
        reach_error();
    return 0;
}
