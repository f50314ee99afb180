// verdict: unreachable
// A diamond: one object of the virtual base, whichever way leads to it.
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

struct Top {
    int value = 0;
    virtual int get() const { return value; }
    virtual ~Top() {}
};
struct Left : virtual Top {
    void set(int to) { value = to; }
};
struct Right : virtual Top {
    int get() const override { return value + 1; }
};
struct Bottom : Left, Right {
    int own = 7;
};

int main() {
    Bottom bottom;
    int n = __VERIFIER_nondet_int();
    Left &left = bottom;
    Top &top = bottom;
    left.set(n);
    if (top.get() != n + 1 || bottom.own != 7)
        reach_error();
    return 0;
}
