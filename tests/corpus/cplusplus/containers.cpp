// verdict: unreachable
#include <algorithm>
#include <functional>
#include <list>
#include <optional>
#include <vector>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static std::optional<int> first_above(const std::list<int> &values, int bound) {
    for (int value : values)
        if (value > bound)
            return value;
    return std::nullopt;
}

int main() {
    std::vector<int> values{5, 3, 9, 1};
    std::sort(values.begin(), values.end(), std::less<int>());
    std::list<int> list(values.begin(), values.end());
    list.remove(5);
    int bound = __VERIFIER_nondet_int();
    std::function<bool(int)> fits = [bound](int value) { return value > bound; };
    auto found = first_above(list, bound);
    if (found.has_value() != (bound < 9) || (found && !fits(*found)))
        reach_error();
    return 0;
}
