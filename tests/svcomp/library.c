// ttyname is a library function: what it does is known, but not to the engine.
extern char *ttyname(int);
void reach_error(void) {}

int main(void) {
    char *name = ttyname(0);
    if (name == 0)
        reach_error();
    return 0;
}
