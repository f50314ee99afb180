// verdict: reachable
// inputs: 3
// Two paths through a loop that follows a list: what the second reads depends on where the first went.

extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &a;
    a.value = 1;
    b.value = 2;
    c.value = 30;
    int n = __VERIFIER_nondet_int();
    struct node *p = &a;
    int sum = 0;
    int i = 0;
    while (p->value <= 20) {
        if (sum > 100)
            sum = 0;
        else
            sum += p->value;
        p = p->next;
        i++;
        if (i >= n)
            return 0;
    }
    if (sum == 3)
        reach_error();
    return 0;
}
