/* Models of the functions that read options from the arguments of a program, as glibc has them: operands
 * that are passed over are moved behind the options, unless the text of options begins with `+` or
 * `-`. The messages about wrong options are not written, and POSIXLY_CORRECT is taken as not set.
 *
 * Compiled and linked as string.c is.
 */
#define NULL ((void *)0)

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

enum { NO_ARGUMENT, REQUIRED_ARGUMENT };

/* Weak, since a program may define its own. */
#define WEAK __attribute__((weak))
WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

/* What optopt is after each call: the option that was wrong last. */
static int wrong;

/* What is left of an argument with several short options. */
static char *rest;
/* Operands that were passed over: arguments `first` to `last`, without that. */
static int first, last;
/* What becomes of operands; 0 before the first call. */
static enum { BEFORE, MOVED, STOP_AT, RETURNED } operands;

static const char *find(const char *text, char c) {
    for (; *text != '\0'; text++)
        if (*text == c)
            return text;
    return NULL;
}

/* Moves the operands that were passed over behind the options that came since. */
static void exchange(char **argv) {
    for (; last < optind; last++) {
        char *option = argv[last];
        for (int i = last; i > first; i--)
            argv[i] = argv[i - 1];
        argv[first++] = option;
    }
}

static int is_operand(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

/* What stands for an option that lacks its argument. */
static int missing(const char *options) { return options[0] == ':' ? ':' : '?'; }

/* Compares a name with a text up to its `=` or its end: 0 for another one, 1 for one that begins so, 2 for
 * the same. */
static int matches(const char *name, const char *text) {
    for (; *text != '\0' && *text != '='; name++, text++)
        if (*name != *text)
            return 0;
    return *name == '\0' ? 2 : 1;
}

static int is_same(const struct option *one, const struct option *other) {
    return one->has_arg == other->has_arg && one->flag == other->flag && one->val == other->val;
}

/* The long option that `rest` names; -1 for one that is to be read as short options. */
static int long_option(int argc, char *const *argv, const char *options, const struct option *all,
                       int *index, int is_only) {
    const struct option *found = NULL;
    int is_ambiguous = 0, is_exact = 0;
    for (const struct option *one = all; one->name != NULL && !is_exact; one++) {
        int match = matches(one->name, rest);
        is_exact = match == 2;
        if (is_exact || (match == 1 && found == NULL))
            found = one;
        else if (match == 1)
            is_ambiguous |= is_only || !is_same(found, one);
    }
    if (found == NULL && is_only && argv[optind][1] != '-' && find(options, *rest) != NULL)
        return -1;
    char *text = rest;
    rest = NULL;
    optind++;
    if (found == NULL || (is_ambiguous && !is_exact)) {
        wrong = 0;
        return '?';
    }
    while (*text != '\0' && *text != '=')
        text++;
    if (*text == '=' && found->has_arg == NO_ARGUMENT) {
        wrong = found->val;
        return '?';
    }
    if (*text == '=')
        optarg = text + 1;
    else if (found->has_arg == REQUIRED_ARGUMENT && optind < argc)
        optarg = argv[optind++];
    else if (found->has_arg == REQUIRED_ARGUMENT) {
        wrong = found->val;
        return missing(options);
    }
    if (index != NULL)
        *index = (int)(found - all);
    if (found->flag == NULL)
        return found->val;
    *found->flag = found->val;
    return 0;
}

static int short_option(int argc, char *const *argv, const char *options, const struct option *all,
                        int *index) {
    char c = *rest++;
    const char *known = find(options, c);
    if (*rest == '\0')
        optind++;
    if (known == NULL || c == ':' || c == ';') {
        wrong = c;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && all != NULL) {
        if (*rest == '\0' && optind == argc) {
            wrong = c;
            return missing(options);
        }
        if (*rest == '\0')
            rest = argv[optind];
        return long_option(argc, argv, options, all, index, 0);
    }
    if (known[1] != ':')
        return c;
    int is_optional = known[2] == ':', result = c;
    if (*rest != '\0') {
        optarg = rest;
        optind++;
    } else if (!is_optional && optind < argc) {
        optarg = argv[optind++];
    } else if (!is_optional) {
        wrong = c;
        result = missing(options);
    }
    rest = NULL;
    return result;
}

/* The next argument with options, at which `optind` stands then; -1 at the end, 1 for an operand that is
 * returned, 0 else. */
static int next_argument(int argc, char **argv) {
    if (last > optind)
        last = optind;
    if (first > optind)
        first = optind;
    if (operands == MOVED) {
        if (first != last)
            exchange(argv);
        else
            first = optind;
        while (optind < argc && is_operand(argv[optind]))
            optind++;
        last = optind;
    }
    if (optind != argc && argv[optind][0] == '-' && argv[optind][1] == '-' &&
        argv[optind][2] == '\0') {
        optind++;
        if (first != last)
            exchange(argv);
        else
            first = optind;
        last = optind = argc;
    }
    if (optind == argc) {
        if (first != last)
            optind = first;
        return -1;
    }
    if (!is_operand(argv[optind]))
        return 0;
    if (operands == STOP_AT)
        return -1;
    optarg = argv[optind++];
    return 1;
}

static int get_option(int argc, char **argv, const char *options, const struct option *all,
                      int *index, int is_only) {
    if (argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || operands == BEFORE) {
        if (optind == 0)
            optind = 1;
        first = last = optind;
        rest = NULL;
        operands = options[0] == '-' ? RETURNED : options[0] == '+' ? STOP_AT : MOVED;
    }
    if (options[0] == '-' || options[0] == '+')
        options++;
    if (rest != NULL && *rest != '\0')
        return short_option(argc, argv, options, all, index);
    int result = next_argument(argc, argv);
    if (result != 0)
        return result;
    char *argument = argv[optind];
    if (all != NULL && argument[1] == '-') {
        rest = argument + 2;
        return long_option(argc, argv, options, all, index, is_only);
    }
    if (all != NULL && is_only && (argument[2] != '\0' || find(options, argument[1]) == NULL)) {
        rest = argument + 1;
        result = long_option(argc, argv, options, all, index, is_only);
        if (result != -1)
            return result;
    }
    rest = argument + 1;
    return short_option(argc, argv, options, all, index);
}

static int get(int argc, char *const *argv, const char *options, const struct option *all, int *index,
               int is_only) {
    int result = get_option(argc, (char **)argv, options, all, index, is_only);
    optopt = wrong;
    return result;
}

int getopt(int argc, char *const argv[], const char *options) {
    return get(argc, argv, options, NULL, NULL, 0);
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *all,
                int *index) {
    return get(argc, argv, options, all, index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *all,
                     int *index) {
    return get(argc, argv, options, all, index, 1);
}
