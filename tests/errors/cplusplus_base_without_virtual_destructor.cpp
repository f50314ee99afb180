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
    delete base; // error: free of memory in another way than it was allocated, or with another size
    return 0;
}
