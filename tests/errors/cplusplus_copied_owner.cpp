// check: memory
// Without a copy constructor both objects own the block.
struct Owner {
    int *block;
    Owner() : block(new int(1)) {}
#ifdef FIXED
    Owner(const Owner &other) : block(new int(*other.block)) {}
#endif
    ~Owner() {
        delete block; // error: double free
    }
};

int main() {
    Owner first;
    Owner second = first;
    return 0;
}
