// check: abort
#include <exception>
extern "C" int __VERIFIER_nondet_int();

int main() {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n > 5)
        return 1;
#endif
    if (n > 5)
        std::terminate(); // error: the program aborts
    return 0;
}
