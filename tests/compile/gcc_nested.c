// run: => 2 nested functions are gcc's and not supported
int main(void) {
    int twice(int x) { return 2 * x; }
    return twice(0);
}
