// verdict: unreachable
// Nothing catches what the library throws: the program ends.
#include <vector>
extern "C" unsigned __VERIFIER_nondet_uint();
extern "C" void reach_error() {}

int main() {
    std::vector<int> values(3, 1);
    unsigned n = __VERIFIER_nondet_uint();
    int value = values.at(n);
    if (n >= 3 || value != 1)
        reach_error();
    return 0;
}
