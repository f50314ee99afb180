// check: null
extern "C" int __VERIFIER_nondet_int();

struct Counter {
    int n = 0;
    bool is_this(const Counter &other) const { return this == &other; }
};
static Counter counter;

int main() {
    Counter *other = __VERIFIER_nondet_int() > 3 ? nullptr : &counter;
#ifdef FIXED
    if (!other)
        return 1;
#endif
    return counter.is_this(*other); // error: use of a null pointer
}
