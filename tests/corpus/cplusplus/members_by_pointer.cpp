// verdict: reachable
// inputs: 3
// Pointers to members, virtual ones and data among them.
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

struct Counter {
    int value = 10;
    int plain(int by) { return value + by; }
    virtual int twice(int by) { return 2 * by; }
};
struct Other : Counter {
    int twice(int by) override { return 3 * by; }
};

int main() {
    int n = __VERIFIER_nondet_int();
    Other other;
    int (Counter::*method)(int) = n > 0 ? &Counter::twice : &Counter::plain;
    int Counter::*field = &Counter::value;
    other.*field = 20;
    if ((other.*method)(n) == 9 && other.value == 20)
        reach_error();
    return 0;
}
