/* Compares the texts of errors and signals with the C library's, for every number that has one and some that
 * have none. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>

#include "expect.h"

char *model_strerror(int), *model_strerror_r(int, char *, size_t), *model_strsignal(int);
int __xpg_strerror_r(int, char *, size_t), model___xpg_strerror_r(int, char *, size_t);

static void check(int number) {
    char ours[64], theirs[64];
    EXPECT(strcmp(model_strerror(number), strerror(number)) == 0, "%d", number);
    EXPECT(strcmp(model_strsignal(number), strsignal(number)) == 0, "%d", number);
    for (size_t room = 0; room <= sizeof ours; room++) {
        memset(ours, '#', sizeof ours);
        memset(theirs, '#', sizeof theirs);
        const char *our_text = model_strerror_r(number, ours, room), *their_text = strerror_r(number, theirs, room);
        EXPECT((our_text == ours) == (their_text == theirs), "%d %zu", number, room);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%d %zu", number, room);
        EXPECT(our_text == ours || strcmp(our_text, their_text) == 0, "%d", number);
        EXPECT(model___xpg_strerror_r(number, ours, room) == __xpg_strerror_r(number, theirs, room), "%d %zu", number,
               room);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%d %zu", number, room);
    }
}

int main(void) {
    for (int number = -3; number < 300; number++)
        check(number);
    check(INT_MAX);
    check(INT_MIN);
    return failures != 0;
}
