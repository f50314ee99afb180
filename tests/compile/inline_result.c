// run: => 0
// run: -m32 => 0
// run: -fgnu89-inline => 0
// run: -DELSEWHERE -- tests/compile/inline_elsewhere.c => 1
// run: -DTWICE_ITSELF -- tests/compile/inline_elsewhere.c => 0
// An inline definition gives way to the definition of another file, and stands beside the same in another.
void reach_error(void);
inline int twice(int x) { return 2 * x; }
extern inline __attribute__((gnu_inline)) int thrice(int x) { return twice(x) + x; }
int through(int (*function)(int), int x) { return function(x); }
int main(void) {
    if (twice(4) != 8 || through(twice, 3) != 6 || thrice(2) != 6)
        reach_error();
    return 0;
}
