// check: memory
// Within a header of the library: told by the place of the call.
#include <vector>
extern "C" unsigned __VERIFIER_nondet_uint();

int main() {
    std::vector<int> values(3);
    unsigned n = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (n < values.size())
#else
    if (n <= values.size())
#endif
        values[n] = 1; // error: access out of bounds
    return 0;
}
