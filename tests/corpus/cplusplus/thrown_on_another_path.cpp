// verdict: reachable
// inputs: 3
// Exceptions are not followed; what happens without them is.
#include <stdexcept>
#include <string>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static int checked(int n) {
    std::string text = "checked";
    if (n < 0)
        throw std::out_of_range(text);
    return n;
}

int main() {
    try {
        if (checked(__VERIFIER_nondet_int()) == 3)
            reach_error();
    } catch (const std::exception &) {
        return 1;
    }
    return 0;
}
