// run: => 2 nested functions, a GCC extension, are not supported
int main(void) {
    int twice(int x) { return 2 * x; }
    return twice(0);
}
