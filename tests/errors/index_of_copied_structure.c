// check: memory, index
// Of a structure that is copied clang checks the address, which may be that behind the end.
extern unsigned char __VERIFIER_nondet_uchar(void);
struct point {
    int x, y;
};
static struct {
    struct point points[4], last;
} path;

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
#ifdef FIXED
    if (n >= 4)
#else
    if (n > 4)
#endif
        return 0;
    struct point *end = &path.points[4];
    struct point point = path.points[n]; // error: index out of the bounds of its array
    return point.x + (end != &path.last);
}
