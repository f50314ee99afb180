// check: memory
// The size that delete tells is that of the base.
struct Base {
    int value = 0;
#ifdef FIXED
    virtual ~Base() {}
#endif
};

struct Derived : Base {
    int more[4];
};

int main() {
    Base *base = new Derived;
    delete base; // error: free that does not match the allocation, or with a different size
    return 0;
}
