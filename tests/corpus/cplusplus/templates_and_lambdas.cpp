// verdict: unreachable
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

template <typename T, int N> struct Ring {
    T items[N];
    int next = 0;
    void push(const T &item) {
        items[next] = item;
        next = (next + 1) % N;
    }
    template <typename F> T fold(T start, F &&step) const {
        for (const T &item : items)
            start = step(start, item);
        return start;
    }
};

template <typename T> const T &largest(const T &a, const T &b) { return a < b ? b : a; }

int main() {
    Ring<int, 3> ring{};
    int first = __VERIFIER_nondet_int();
    int n_steps = 0;
    for (int i = 0; i < 5; i++)
        ring.push(i == 4 ? first : i);
    int most = ring.fold(-100, [&n_steps](int a, int b) {
        n_steps++;
        return largest(a, b);
    });
    if (n_steps != 3 || most < first || most < 3)
        reach_error();
    return 0;
}
