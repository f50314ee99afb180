/* What is to hold; the first failures are told. */
#include <stdio.h>

static int failures;
#define EXPECT(condition, ...)                                                                    \
    do {                                                                                          \
        if (!(condition) && failures++ < 20) {                                                    \
            printf("%s: ", #condition);                                                           \
            printf(__VA_ARGS__);                                                                  \
            printf("\n");                                                                         \
        }                                                                                         \
    } while (0)
