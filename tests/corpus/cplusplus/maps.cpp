// verdict: unreachable
#include <map>
#include <set>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

int main() {
    int n = __VERIFIER_nondet_int();
    std::map<int, int> squares;
    for (int i : {3, 1, 2})
        squares[i] = i * i;
    squares.erase(2);
    squares[10] = n;
    int last = 0;
    for (const auto &[key, value] : squares) {
        if (key <= last || (key < 10 && value != key * key))
            reach_error();
        last = key;
    }
    std::set<int> seen{n, 5};
    if (last != 10 || squares.size() != 3 || seen.count(n) != 1 || (n == 5) != (seen.size() == 1))
        reach_error();
    return 0;
}
