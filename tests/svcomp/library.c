// strtok is a library function: what it does is known, but not to the engine.
extern char *strtok(char *, const char *);
void reach_error(void) {}

int main(void) {
    char text[] = "a b";
    char *first = strtok(text, " ");
    if (first != text)
        reach_error();
    return 0;
}
