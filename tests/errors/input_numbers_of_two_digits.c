// check: memory
#include <stdio.h>

int main(void) {
    int day, month;
    static const int days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (scanf("%2d.%2d", &day, &month) != 2 || day < 1 || month < 1)
        return 1;
#ifdef FIXED
    if (month > 12)
        return 1;
#endif
    if (day <= days[month]) // error: access out of bounds
        puts("a day");
    return day > 99 || month > 99;
}
