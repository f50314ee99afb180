/* Compares the models of getopt and its kin with the C library's, on random arguments and options. The models are
 * linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;
int model_getopt(int, char *const[], const char *);
int model_getopt_long(int, char *const[], const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const[], const char *, const struct option *, int *);

enum { MOST_ARGUMENTS = 7, MOST_CALLS = 40 };

static int their_flag, our_flag;

/* Abbreviations that are ambiguous, ones that are not since both mean the same, a name that is the beginning of
 * another one. */
static const struct option their_options[] = {
    {"all", no_argument, NULL, 'a'},         {"also", no_argument, NULL, 'a'},
    {"amount", required_argument, NULL, 300}, {"b", no_argument, &their_flag, 7},
    {"backup", optional_argument, NULL, 301}, {"back", no_argument, NULL, 302},
    {"cut", required_argument, &their_flag, 8}, {NULL, 0, NULL, 0},
};

static const char *const pieces[] = {
    "-",     "--",    "---",      "-a",    "-b",        "-c",      "-ab",   "-bx",     "-cab", "x",
    "y",     "",      "--all",    "--al",  "--alr",     "--a",     "--b",   "--ba",    "--backup=1",
    "--cut", "--c=2", "--amount", "--am=", "--backupx", "-W",      "-Wall", "-Wcut=3", "-all", "-amount",
    "-back", "-cut",  "-x",       "-a:",   "-;",        "--all=4", "all",   "--=",     "-w",
};
static const char *const texts_of_options[] = {
    "abc:", "ab::c", "+ab:c", "-ab:c::", ":ab:c", "+:c:", "-:b::", "", "W;ab", ":W;c:", "a;b:", "-W;",
};

static char *argument_of(char *const *argv, const char *text, int argc) {
    for (int i = 0; i < argc; i++)
        if (argv[i] <= text && text <= argv[i] + strlen(argv[i]))
            return argv[i];
    return NULL;
}

static void check_options(void) {
    char *theirs[MOST_ARGUMENTS + 1] = {0}, *ours[MOST_ARGUMENTS + 1] = {0};
    struct option our_options[sizeof their_options / sizeof *their_options];
    memcpy(our_options, their_options, sizeof our_options);
    for (unsigned i = 0; i < sizeof our_options / sizeof *our_options; i++)
        if (our_options[i].flag != NULL)
            our_options[i].flag = &our_flag;
    int argc = (int)below(MOST_ARGUMENTS + 1), kind = (int)below(3);
    const char *options = PICK(texts_of_options);
    for (int i = 0; i < argc; i++) {
        /* Never freed: glibc looks at the end of what it read last, where nothing else may be. */
        theirs[i] = ours[i] = strdup(PICK(pieces));
    }
    /* Begun anew in both ways; the first leaves what became of operands as it was. */
    optind = model_optind = (int)below(4) == 0;
    opterr = model_opterr = 0;
    their_flag = our_flag = 0;
    for (int i = 0; i < MOST_CALLS; i++) {
        int their_index = -5, our_index = -5, they, we;
        if (kind == 0) {
            they = getopt(argc, theirs, options);
            we = model_getopt(argc, ours, options);
        } else if (kind == 1) {
            they = getopt_long(argc, theirs, options, their_options, &their_index);
            we = model_getopt_long(argc, ours, options, our_options, &our_index);
        } else {
            they = getopt_long_only(argc, theirs, options, their_options, &their_index);
            we = model_getopt_long_only(argc, ours, options, our_options, &our_index);
        }
        const char *at = argument_of(ours, model_optarg == NULL ? "" : model_optarg, argc);
        EXPECT(they == we && optind == model_optind && optopt == model_optopt &&
                   optarg == model_optarg && their_index == our_index && their_flag == our_flag &&
                   memcmp(theirs, ours, sizeof theirs) == 0,
               "kind %d, options %s, call %d: %d and %d, optind %d and %d, optopt %d and %d, in %s",
               kind, options, i, they, we, optind, model_optind, optopt, model_optopt,
               at == NULL ? "nothing" : at);
        if (they == -1)
            break;
    }
}

int main(void) {
    for (int i = 0; i < 30000; i++)
        check_options();
    return failures != 0;
}
