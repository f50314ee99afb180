/* Compares the models for addresses of IPv4 with the C library's functions, on random texts, some of them
 * addresses. The models are linked with the prefix `model_`. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

int model_inet_pton(int, const char *, void *), model_inet_aton(const char *, struct in_addr *);
in_addr_t model_inet_addr(const char *);
char *model_inet_ntoa(struct in_addr);
const char *model_inet_ntop(int, const void *, char *, socklen_t);
void model_compact_se_set_errno(int number) { errno = number; }
void model___compact_se_unsupported(const char *what) { abort(); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }

static void random_address(char *text) {
    static const char *const pieces[] = {"0", "1", "9", "10", "255", "256", "007", "0x1f", "0XA", "08", "0x", "4294967295",
                                         "4294967296", "65535", "65536", "16777215", "16777216", ".", ".", ".", ".",
                                         " ", "\t", "x", "-1", "99999999999999999999"};
    text[0] = '\0';
    for (unsigned i = below(9); i > 0; i--)
        strcat(text, PICK(pieces));
    if (below(3) == 0)
        sprintf(text, "%u.%u.%u.%u", below(300), below(300), below(300), below(300));
}

static void check(void) {
    char text[200], ours[20], theirs[20];
    uint32_t our_address = 7, their_address = 7;
    struct in_addr our_number = {7}, their_number = {7};
    random_address(text);
    EXPECT(model_inet_pton(AF_INET, text, &our_address) == inet_pton(AF_INET, text, &their_address), "'%s'", text);
    EXPECT(our_address == their_address, "'%s'", text);
    EXPECT(!model_inet_aton(text, &our_number) == !inet_aton(text, &their_number), "'%s'", text);
    EXPECT(our_number.s_addr == their_number.s_addr, "'%s'", text);
    EXPECT(model_inet_addr(text) == inet_addr(text), "'%s'", text);
    struct in_addr any = {(uint32_t)(random_64() >> below(32))};
    EXPECT(strcmp(model_inet_ntoa(any), inet_ntoa(any)) == 0, "%x", any.s_addr);
    socklen_t room = below(20);
    int family = below(20) ? AF_INET : 1000;
    memset(ours, '#', sizeof ours);
    memset(theirs, '#', sizeof theirs);
    errno = 0;
    const char *found = model_inet_ntop(family, &any, ours, room);
    int number = errno;
    errno = 0;
    const char *expected = inet_ntop(family, &any, theirs, room);
    EXPECT(!found == !expected && number == errno, "%x %u", any.s_addr, room);
    EXPECT(expected == NULL || strcmp(ours, theirs) == 0, "%x", any.s_addr);
}

int main(void) {
    for (int i = 0; i < 200000; i++)
        check();
    return failures != 0;
}
