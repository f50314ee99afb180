// What fill does, nobody knows; verifiers agree that it does nothing.
extern int fill(char *to, int bytes);
void reach_error(void) {}

int main(void) {
    char text[4] = {0};
    int n = fill(text, 4);
    if (n == 4 && text[0] != 0)
        reach_error();
    return 0;
}
