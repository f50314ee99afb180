// check: enum
#include <cstring>
extern "C" int __VERIFIER_nondet_int();

enum Colour { red, green, blue };

int main() {
    int number = __VERIFIER_nondet_int();
    Colour colour;
#ifdef FIXED
    if (number < 0 || number > 3)
        return 1;
#endif
    std::memcpy(&colour, &number, sizeof colour);
    return colour == blue; // error: value that its type does not have
}
