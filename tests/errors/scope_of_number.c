// check: memory, scope
int main(void) {
    int *p;
#ifdef FIXED
    int x = 3;
    p = &x;
#else
    {
        int x = 3;
        p = &x;
    }
#endif
    return *p; // error: access to a variable that is out of scope
}
