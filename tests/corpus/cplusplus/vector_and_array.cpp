// verdict: reachable
// inputs: 4
#include <array>
#include <vector>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

int main() {
    int n = __VERIFIER_nondet_int();
    std::array<int, 3> weights{1, 2, 3};
    std::vector<int> values;
    for (int weight : weights)
        values.push_back(weight * n);
    values.erase(values.begin());
    int sum = 0;
    for (int value : values)
        sum += value;
    if (values.size() == 2 && sum == 20)
        reach_error();
    return 0;
}
