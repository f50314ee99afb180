// run: => 1
// run: -DFIXED => 0
// run: -std=gnu89 => 1
// run: --function raised => 0
// svcomp: => 1 false(unreach-call)
// An inline definition of C99 is the function, also where it makes no code by itself.
void reach_error(void);
int flag;
static inline int one(void) { return 1; }
inline void raise_flag(void) { flag = one(); }
inline int raised(void) { return flag; }
int main(void) {
#ifndef FIXED
    raise_flag();
#endif
    if (raised() == 1)
        reach_error();
    return 0;
}
