// setlocale is a library function: what it does is known, but not to the engine.
extern char *setlocale(int, const char *);
void reach_error(void) {}

int main(void) {
    char *locale = setlocale(0, "C");
    if (locale == 0)
        reach_error();
    return 0;
}
