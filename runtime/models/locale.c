/* Models of <locale.h> for programs that keep to the C locale. Which one the environment names is for the
 * system to choose; it is taken to name none, and loaded.rs has that said. Others are refused.
 *
 * Compiled and linked as string.c is.
 */
#define NULL ((void *)0)

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

enum { LAST_CATEGORY = 12 };

static int is_same(const char *s, const char *t) {
    int i = 0;
    while (s[i] == t[i] && s[i] != '\0')
        i++;
    return s[i] == t[i];
}

char *setlocale(int category, const char *name) {
    static char here[2] = "C";
    if (category < 0 || category > LAST_CATEGORY)
        __compact_se_unsupported("setlocale for an unknown category");
    if (name != NULL && !is_same(name, "") && !is_same(name, "C") && !is_same(name, "POSIX"))
        __compact_se_unsupported("setlocale for a locale other than C");
    return here;
}

/* As the GNU C library has it. */
struct lconv {
    char *decimal_point, *thousands_sep, *grouping;
    char *of_money[7];
    char numbers_of_money[14];
};

struct lconv *localeconv(void) {
    static char point[2] = ".", none[1] = "";
    static struct lconv here;
    unsigned i;
    here.decimal_point = point;
    here.thousands_sep = none;
    here.grouping = none;
    for (i = 0; i < 7; i++)
        here.of_money[i] = none;
    for (i = 0; i < 14; i++)
        here.numbers_of_money[i] = 127;
    return &here;
}
