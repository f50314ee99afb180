/* Models of character classification and conversion, in the C locale.
 *
 * Compiled and linked as string.c is. Every test is one or two unsigned comparisons combined
 * without branches, so that classifying a symbolic character does not fork the execution.
 * The argument is an unsigned char or EOF (-1), which belongs to no class.
 */
#define BETWEEN(c, low, high) ((unsigned)(c) - (low) <= (high) - (low))

int isdigit(int c) { return BETWEEN(c, '0', '9'); }
int islower(int c) { return BETWEEN(c, 'a', 'z'); }
int isupper(int c) { return BETWEEN(c, 'A', 'Z'); }

/* Setting bit 5 maps capital letters to small ones and nothing else into their range. */
int isalpha(int c) { return BETWEEN((unsigned)c | 32u, 'a', 'z'); }
int isalnum(int c) { return BETWEEN((unsigned)c | 32u, 'a', 'z') | BETWEEN(c, '0', '9'); }
int isxdigit(int c) { return BETWEEN((unsigned)c | 32u, 'a', 'f') | BETWEEN(c, '0', '9'); }

int isblank(int c) { return (c == ' ') | (c == '\t'); }
int isspace(int c) { return (c == ' ') | BETWEEN(c, '\t', '\r'); }
int iscntrl(int c) { return BETWEEN(c, 0, 31) | (c == 127); }
int isprint(int c) { return BETWEEN(c, 32, 126); }
int isgraph(int c) { return BETWEEN(c, 33, 126); }
int ispunct(int c) {
    return BETWEEN(c, 33, 126) & !(BETWEEN((unsigned)c | 32u, 'a', 'z') | BETWEEN(c, '0', '9'));
}
int isascii(int c) { return BETWEEN(c, 0, 127); }

int tolower(int c) { return c + 32 * BETWEEN(c, 'A', 'Z'); }
int toupper(int c) { return c - 32 * BETWEEN(c, 'a', 'z'); }
int toascii(int c) { return c & 127; }

/* In C, the header of the GNU C library turns isdigit(c) and the like into look-ups in tables,
 * which these functions hand out: 384 entries for the characters -128 to 255, the first half (and
 * EOF) in no class. The bits are those of that header on a little-endian machine. */

#define UPPER 0x0100
#define LOWER 0x0200
#define ALPHA 0x0400
#define DIGIT 0x0800
#define XDIGIT 0x1000
#define SPACE 0x2000
#define PRINT 0x4000
#define GRAPH 0x8000
#define BLANK 0x0001
#define CNTRL 0x0002
#define PUNCT 0x0004
#define ALNUM 0x0008

#define CONTROL CNTRL
#define WHITE (CNTRL | SPACE)
#define SIGN (PRINT | GRAPH | PUNCT)
#define FIGURE (PRINT | GRAPH | ALNUM | DIGIT | XDIGIT)
#define CAPITAL (PRINT | GRAPH | ALNUM | ALPHA | UPPER)
#define SMALL (PRINT | GRAPH | ALNUM | ALPHA | LOWER)

static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CONTROL,
    [128 + 9] = WHITE | BLANK,
    [128 + 10 ... 128 + 13] = WHITE,
    [128 + 14 ... 128 + 31] = CONTROL,
    [128 + ' '] = PRINT | SPACE | BLANK,
    [128 + '!' ... 128 + '/'] = SIGN,
    [128 + '0' ... 128 + '9'] = FIGURE,
    [128 + ':' ... 128 + '@'] = SIGN,
    [128 + 'A' ... 128 + 'F'] = CAPITAL | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = CAPITAL,
    [128 + '[' ... 128 + '`'] = SIGN,
    [128 + 'a' ... 128 + 'f'] = SMALL | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = SMALL,
    [128 + '{' ... 128 + '~'] = SIGN,
    [128 + 127] = CONTROL,
};
static const unsigned short *const classes_of_zero = classes + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&classes_of_zero; }
