// verdict: reachable
// inputs: 7
// The destructor of a static variable runs behind main, the one made last first.
#include <cstdlib>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static int last;
struct Told {
    int number;
    explicit Told(int number) : number(number) {}
    ~Told() {
        if (number == 1 && last == 2)
            reach_error();
        last = number;
    }
};
static Told first(1);

int main() {
    if (__VERIFIER_nondet_int() == 7) {
        static Told second(2);
        std::exit(0);
    }
    return 0;
}
