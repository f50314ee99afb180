// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct point {
    char tag;
    int x, y;
};

int main(void) {
    struct point a = {'a', __VERIFIER_nondet_int(), 2};
    struct point b = a;
    b.x = a.x + 1;
    if (b.x == a.x || b.y != 2 || b.tag != 'a')
        reach_error();
    return 0;
}
