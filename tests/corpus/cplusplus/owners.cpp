// verdict: unreachable
#include <memory>
#include <utility>
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static int n_alive;
struct Item {
    int value;
    explicit Item(int value) : value(value) { n_alive++; }
    ~Item() { n_alive--; }
};

int main() {
    int n = __VERIFIER_nondet_int();
    {
        auto item = std::make_unique<Item>(n);
        std::unique_ptr<Item> other = std::move(item);
        std::shared_ptr<Item> shared = std::make_shared<Item>(1);
        std::shared_ptr<Item> copy = shared;
        if (item || other->value != n || shared.use_count() != 2 || n_alive != 2)
            reach_error();
    }
    if (n_alive != 0)
        reach_error();
    return 0;
}
