// verdict: reachable
// inputs: 98
// Short texts lie in the object, long ones on the heap.
#include <string>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

int main() {
    char c = static_cast<char>(__VERIFIER_nondet_int());
    std::string text = "a";
    text += c;
    std::string longer = text + "cdefghijklmnopqrstuvwxyz";
    if (text == "ab" && longer.size() == 26 && longer.find('d') == 3 && longer.substr(24) == "yz")
        reach_error();
    return 0;
}
