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

/* With optimisation that header has tolower and toupper look into tables as well: of -128 to -2 the unsigned
 * character does, EOF stays itself. */
#define EIGHT(c) c, (c) + 1, (c) + 2, (c) + 3, (c) + 4, (c) + 5, (c) + 6, (c) + 7
#define SIXTY_FOUR(c)                                                                              \
    EIGHT(c), EIGHT((c) + 8), EIGHT((c) + 16), EIGHT((c) + 24), EIGHT((c) + 32), EIGHT((c) + 40),  \
        EIGHT((c) + 48), EIGHT((c) + 56)
#define LETTERS(a) EIGHT(a), EIGHT((a) + 8), EIGHT((a) + 16), (a) + 24, (a) + 25
#define CONVERSIONS(first_capital, first_small)                                                    \
    SIXTY_FOUR(128), EIGHT(192), EIGHT(200), EIGHT(208), EIGHT(216), EIGHT(224), EIGHT(232),       \
        EIGHT(240), 248, 249, 250, 251, 252, 253, 254, -1, SIXTY_FOUR(0), '@',                     \
        LETTERS(first_capital), '[', '\\', ']', '^', '_', '`', LETTERS(first_small), '{', '|', '}', \
        '~', 127, SIXTY_FOUR(128), SIXTY_FOUR(192)

static const int small_letters[384] = {CONVERSIONS('a', 'a')};
static const int capital_letters[384] = {CONVERSIONS('A', 'A')};
static const int *const small_of_zero = small_letters + 128;
static const int *const capital_of_zero = capital_letters + 128;

const int **__ctype_tolower_loc(void) { return (const int **)&small_of_zero; }
const int **__ctype_toupper_loc(void) { return (const int **)&capital_of_zero; }
