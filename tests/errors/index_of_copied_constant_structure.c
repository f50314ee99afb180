// check: index
// Clang has the address of the element as a constant.
struct pair {
    int first, second;
};
static const struct pair pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
volatile int sink;

#ifdef FIXED
enum { INDEX = 3 };
#else
enum { INDEX = 4 };
#endif

int main(void) {
    struct pair pair = pairs[INDEX]; // error: index out of the bounds of its array
    sink = pair.second;
    return 0;
}
