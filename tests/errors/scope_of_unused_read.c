// check: scope
int main(void) {
    int *p;
    int z = 1;
    {
        int x = 5;
        p = &x;
#ifdef FIXED
        p = &z;
#endif
    }
    int y;
    y = 0;
    y = *p; // error: access to a variable that is out of scope
    return 0;
}
