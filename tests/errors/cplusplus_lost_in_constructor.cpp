// check: leak
extern "C" int __VERIFIER_nondet_int();

class Buffer {
    int *data;

  public:
    explicit Buffer(int n) : data(new int(n)) { // error: memory leak
    }
    ~Buffer() {
#ifdef FIXED
        delete data;
#else
        if (*data != 3)
            delete data;
#endif
    }
};

int main() {
    Buffer buffer(__VERIFIER_nondet_int());
    return 0;
}
