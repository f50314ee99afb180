// A linked list of nodes in an array, sorted by links: pointers that are stored and followed.
void reach_error(void) {}

#define N 400
struct node {
    unsigned key;
    struct node *next;
};
static struct node nodes[N];

int main(void) {
    struct node *first = 0;
    unsigned x = 7;
    for (int i = 0; i < N; i++) {
        x = x * 1103515245 + 12345;
        nodes[i].key = x >> 8;
        struct node **at = &first;
        while (*at && (*at)->key < nodes[i].key)
            at = &(*at)->next;
        nodes[i].next = *at;
        *at = &nodes[i];
    }
    int n = 0;
    for (struct node *node = first; node; node = node->next) {
        n++;
        if (node->next && node->key > node->next->key)
            reach_error();
    }
    if (n != N)
        reach_error();
    return 0;
}
