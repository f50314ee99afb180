// check: scope
struct pair {
    int first, second;
};

int main(void) {
    int *p;
    struct pair outer = {1, 2};
    for (int i = 0; i < 2; i++) {
        struct pair inner = {i, i};
        p = &inner.second;
    }
#ifdef FIXED
    p = &outer.second;
#endif
    int y = *p; // error: access to a variable that is out of scope
    return 0;
}
