// verdict: unreachable
void reach_error(void) {}

static int numbers[4] = {1, [2] = 3};
static const char *const names[] = {"zero", "one"};
static int *third = &numbers[2];
static struct {
    int *where;
    long offset;
} link = {numbers + 1, -2};

int main(void) {
    if (numbers[1] != 0 || numbers[3] != 0 || *third != 3)
        reach_error();
    *third = 9;
    if (numbers[2] != 9 || names[1][0] != 'o' || names[0][4] != 0)
        reach_error();
    if (link.where[1] != 9 || link.offset != -2)
        reach_error();
    return 0;
}
