// check: memory
#include <vector>
extern "C" int __VERIFIER_nondet_int();

int main() {
    std::vector<int> values(2, 7);
#ifdef FIXED
    values.reserve(3);
#endif
    int &first = values.front();
    if (__VERIFIER_nondet_int() > 0)
        values.push_back(1);
    first = 2; // error: access to freed memory
    return 0;
}
