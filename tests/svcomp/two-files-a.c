int seven(void);
void reach_error(void) {}

int main(void) {
    if (seven() == 7)
        reach_error();
    return 0;
}
