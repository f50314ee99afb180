// check: scope
// A block that is known not to be entered leaves nothing of its variables.
volatile int sink;

#ifdef FIXED
enum { IS_ENTERED = 0 };
#else
enum { IS_ENTERED = 1 };
#endif

int main(void) {
    int is_entered = IS_ENTERED, outer = 0, *p = &outer;
    if (is_entered) {
        int inner = 3;
        p = &inner;
    }
    sink = *p; // error: access to a variable that is out of scope
    return 0;
}
