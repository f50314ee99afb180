// verdict: reachable
// inputs: 1
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct inner {
    short low;
    long high;
};
struct outer {
    char name[3];
    struct inner parts[2];
};

int main(void) {
    struct outer outer = {{'a', 'b', 'c'}, {{1, 2}, {3, 4}}};
    int i = __VERIFIER_nondet_int();
    if (i != 0 && i != 1)
        return 0;
    outer.parts[i].high += outer.name[i];
    if (outer.parts[1].high == 102 && outer.parts[0].high == 2)
        reach_error();
    return 0;
}
