/* Models of <arpa/inet.h> on a machine of little-endian order: byte order, and addresses of IPv4.
 *
 * Compiled and linked as string.c is.
 */
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;

uint16_t htons(uint16_t value) { return __builtin_bswap16(value); }
uint16_t ntohs(uint16_t value) { return __builtin_bswap16(value); }
uint32_t htonl(uint32_t value) { return __builtin_bswap32(value); }
uint32_t ntohl(uint32_t value) { return __builtin_bswap32(value); }

/* --- Addresses of IPv4 ---------------------------------------------------------------------- */

#define NULL ((void *)0)

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void compact_se_set_errno(int number);

enum { IPV4 = 2, IPV6 = 10, NO_SPACE = 28 /* ENOSPC */, NO_FAMILY = 97 /* EAFNOSUPPORT */ };

struct in_addr { uint32_t s_addr; };

/* Four decimal numbers of a byte, without zeros in front. */
int inet_pton(int family, const char *restrict text, void *restrict to) {
    uint32_t address = 0;
    unsigned part;
    if (family == IPV6)
        __compact_se_unsupported("inet_pton for IPv6");
    if (family != IPV4) {
        compact_se_set_errno(NO_FAMILY);
        return -1;
    }
    for (part = 0; part < 4; part++) {
        unsigned number = 0, n_digits = 0;
        if (part > 0 && *text++ != '.')
            return 0;
        for (; *text >= '0' && *text <= '9'; text++, n_digits++) {
            if (n_digits > 0 && number == 0)
                return 0;
            number = 10 * number + (unsigned)(*text - '0');
            if (number > 255)
                return 0;
        }
        if (n_digits == 0)
            return 0;
        address |= number << 8 * part;
    }
    if (*text != '\0')
        return 0;
    __builtin_memcpy(to, &address, sizeof address);
    return 1;
}

static int digit_of_base(char c, unsigned base) {
    unsigned digit = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
    if (digit < 10 && digit < base)
        return (int)digit;
    return base == 16 && letter < 6 ? (int)letter + 10 : -1;
}

/* One to four numbers as C writes them, of which the last fills all bytes that are left; white space may
 * follow. */
int inet_aton(const char *text, struct in_addr *to) {
    uint32_t before = 0, number;
    unsigned part = 0, base;
    for (;; part++) {
        unsigned long long value = 0;
        int digit;
        if (*text < '0' || *text > '9')
            return 0;
        base = 10;
        if (*text == '0') {
            base = 8;
            text++;
            if (*text == 'x' || *text == 'X') {
                base = 16;
                text++;
                if (digit_of_base(*text, base) < 0)
                    return 0;
            }
        }
        while ((digit = digit_of_base(*text, base)) >= 0) {
            value = value * base + (unsigned)digit;
            if (value > 0xffffffff)
                return 0;
            text++;
        }
        number = (uint32_t)value;
        if (*text != '.')
            break;
        if (part == 3 || number > 255)
            return 0;
        before |= number << 8 * (3 - part);
        text++;
    }
    if (*text != '\0' && *text != ' ' && !(*text >= '\t' && *text <= '\r'))
        return 0;
    if (number > 0xffffffffu >> 8 * part)
        return 0;
    if (to != NULL)
        to->s_addr = __builtin_bswap32(before | number);
    return 1;
}

uint32_t inet_addr(const char *text) {
    struct in_addr address;
    return inet_aton(text, &address) ? address.s_addr : 0xffffffff;
}

/* The text of an address; its length with the end. */
static unsigned write_address(const uint8_t *bytes, char *to) {
    unsigned length = 0, part;
    for (part = 0; part < 4; part++) {
        unsigned byte = bytes[part];
        if (part > 0)
            to[length++] = '.';
        if (byte >= 100)
            to[length++] = (char)('0' + byte / 100);
        if (byte >= 10)
            to[length++] = (char)('0' + byte / 10 % 10);
        to[length++] = (char)('0' + byte % 10);
    }
    to[length++] = '\0';
    return length;
}

char *inet_ntoa(struct in_addr address) {
    static char last[16];
    write_address((const uint8_t *)&address.s_addr, last);
    return last;
}

const char *inet_ntop(int family, const void *restrict from, char *restrict to, uint32_t room) {
    char text[16];
    unsigned length, i;
    if (family == IPV6)
        __compact_se_unsupported("inet_ntop for IPv6");
    if (family != IPV4) {
        compact_se_set_errno(NO_FAMILY);
        return NULL;
    }
    length = write_address(from, text);
    if (length > room) {
        compact_se_set_errno(NO_SPACE);
        return NULL;
    }
    for (i = 0; i < length; i++)
        to[i] = text[i];
    return to;
}
