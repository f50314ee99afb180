// check: memory
struct point { int x, y; };

static struct point *find(struct point *points, int n, int x) {
    for (int i = 0; i < n; i++)
        if (points[i].x == x)
            return &points[i];
    return 0;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct point points[3] = {{1, 10}, {2, 20}, {3, 30}};
    struct point *found = find(points, 3, __VERIFIER_nondet_int());
#ifdef FIXED
    return found ? found->y : 0;
#else
    return found->y; // error: null pointer access
#endif
}
