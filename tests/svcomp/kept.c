extern void *malloc(unsigned long);
int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    *kept = 3;
    return 0;
}
