/* Compares the models of streams and descriptors with the C library's functions, by random sequences
 * of calls on the same files. The models are linked with the prefix `model_`, the environment has a
 * file A of BYTES bytes. Each sequence runs in a process of its own, since the models are. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "random.h"

enum { BYTES = 24, N_CALLS = 24, N_SEQUENCES = 3000 };

void model_compact_se_environment_start(void);
void *model_fopen(const char *, const char *);
int model_fclose(void *), model_fflush(void *), model_feof(void *), model_ferror(void *);
int model_fgetc(void *), model_ungetc(int, void *), model_fputc(int, void *);
int model_fputs(const char *, void *), model_fseek(void *, long, int);
long model_ftell(void *), model_lseek(int, long, int);
void model_clearerr(void *), model_rewind(void *);
char *model_fgets(char *, int, void *);
size_t model_fread(void *, size_t, size_t, void *), model_fwrite(const void *, size_t, size_t, void *);
int model_fscanf(void *, const char *, ...), *model___errno_location(void);
ssize_t model_getline(char **, size_t *, void *);
int model_open(const char *, int, ...), model_close(int), model_unlink(const char *);
int model_access(const char *, int), model_fstat(int, void *), model_isatty(int);
ssize_t model_read(int, void *, size_t), model_write(int, const void *, size_t);

wint_t model_fgetwc(void *), model_fputwc(wchar_t, void *);
wchar_t *model_fgetws(wchar_t *, int, void *);
int model_fputws(const wchar_t *, void *);

/* --- What the models call ------------------------------------------------------------------- */

void model_compact_se_reads_text(const char *text) { (void)text; }
void model_compact_se_reads_wide_text(const wchar_t *text) { (void)text; }
void model_compact_se_reads_bytes(const void *from, size_t bytes) { (void)from, (void)bytes; }

static unsigned char content[BYTES];
static jmp_buf refused;

_Noreturn void model___compact_se_unsupported(const char *what) {
    (void)what;
    longjmp(refused, 1);
}
unsigned model___compact_se_input_i32(const char *name) {
    (void)name;
    return 0;
}
void model___compact_se_assume(int condition) {
    if (!condition)
        abort();
}
void model___compact_se_uninit(void *to, size_t bytes, const char *name) {
    memcpy(to, content, strcmp(name, "@file:A") == 0 ? bytes : 0);
}
void *model_realloc(void *block, size_t bytes) { return realloc(block, bytes); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void *model_malloc(size_t bytes) { return malloc(bytes); }
void model_compact_se_set_errno(int number) { *model___errno_location() = number; }
void model_compact_se_may_set_errno(void) {}

/* --- Comparing ------------------------------------------------------------------------------ */

static char told[4096];

static void tell(const char *what) {
    if (strlen(told) + strlen(what) + 2 < sizeof told)
        strcat(strcat(told, what), " ");
}

static void compare(const char *what, long theirs, long ours) {
    char text[100];
    sprintf(text, "%s=%ld", what, ours);
    tell(text);
    if (theirs != ours) {
        printf("%s: %s is %ld, and %ld in the model\n", told, what, theirs, ours);
        fflush(stdout);
        _exit(1);
    }
}

/* The model first: what it refuses may be undefined, as a write behind a read. */
#define COMPARE(what, theirs, ours)                                                                \
    do {                                                                                           \
        long our_result = (long)(ours);                                                            \
        compare(what, (long)(theirs), our_result);                                                 \
    } while (0)

static void compare_bytes(const char *what, const void *theirs, const void *ours, size_t bytes) {
    compare(what, 0, memcmp(theirs, ours, bytes));
}

static void stream_call(FILE *theirs, void *ours, int writes) {
    static const char *const formats[] = {"%d",   " %c", "%3s",     "%*d%s", "%[a-c]", "%x",
                                          "%2d%n", "x",   "%d %d\n", "%4c",   "%i",     "%%"};
    static char *their_line, *our_line;
    static size_t their_bytes, our_bytes;
    char their_text[64] = "", our_text[64] = "";
    int size = 1 + (int)below(3), count = 1 + (int)below(6), c, whence = (int)below(3);
    long offset = (long)below(BYTES + 6) - (whence == 0 ? 0 : whence == 1 ? 8 : BYTES);
    switch (below(writes ? 18 : 13)) {
    case 0:
    case 1:
        COMPARE("fgetc", fgetc(theirs), model_fgetc(ours));
        break;
    case 2:
        c = 'a' + (int)below(4);
        COMPARE("ungetc", ungetc(c, theirs), model_ungetc(c, ours));
        break;
    case 3:
        COMPARE("fgets", fgets(their_text, 2 * count, theirs) != NULL,
                model_fgets(our_text, 2 * count, ours) != NULL);
        break;
    case 4:
        COMPARE("fread", (long)fread(their_text, (size_t)size, (size_t)count, theirs),
                (long)model_fread(our_text, (size_t)size, (size_t)count, ours));
        break;
    case 5:
        COMPARE("ftell", ftell(theirs), model_ftell(ours));
        break;
    case 6:
        COMPARE("fseek", fseek(theirs, offset, whence), model_fseek(ours, offset, whence));
        break;
    case 7:
    case 8:
    case 9: {
        int their_numbers[16] = {0}, our_numbers[16] = {0};
        const char *format = PICK(formats);
        tell(format);
        COMPARE("fscanf", fscanf(theirs, format, their_numbers, their_numbers + 8),
                model_fscanf(ours, format, our_numbers, our_numbers + 8));
        compare_bytes("fscanf's", their_numbers, our_numbers, sizeof our_numbers);
        break;
    }
    case 10: {
        long n = (long)model_getline(&our_line, &our_bytes, ours);
        COMPARE("getline", getline(&their_line, &their_bytes, theirs), n);
        if (n >= 0)
            compare_bytes("getline's", their_line, our_line, (size_t)n + 1);
        break;
    }
    case 11:
        if (below(2)) {
            clearerr(theirs);
            model_clearerr(ours);
            tell("clearerr");
        }
        break;
    case 12:
        if (below(3) == 0) {
            rewind(theirs);
            model_rewind(ours);
            tell("rewind");
        }
        break;
    case 13:
    case 14:
        COMPARE("fputc", fputc('a' + count, theirs), model_fputc('a' + count, ours));
        break;
    case 15:
        COMPARE("fputs", fputs("12 x", theirs) >= 0, model_fputs("12 x", ours) >= 0);
        break;
    case 16:
        COMPARE("fwrite", (long)fwrite("abcdefghijklmnopqr", (size_t)size, (size_t)count, theirs),
                (long)model_fwrite("abcdefghijklmnopqr", (size_t)size, (size_t)count, ours));
        break;
    default:
        COMPARE("fflush", fflush(theirs), model_fflush(ours));
    }
    compare_bytes("bytes", their_text, our_text, sizeof our_text);
    COMPARE("feof", feof(theirs) != 0, model_feof(ours) != 0);
    COMPARE("ferror", ferror(theirs) != 0, model_ferror(ours) != 0);
}

static void streams(void) {
    static const char *const modes[] = {"r", "rb", "r+", "w+", "a", "w", "a+", "rx", "wx", "q"};
    static const char *const names[] = {"A", "A", "A", "A", "B", ""};
    const char *name = PICK(names), *mode = below(2) ? "r" : PICK(modes);
    FILE *theirs;
    void *ours;
    tell(name);
    tell(mode);
    errno = *model___errno_location() = 0;
    ours = model_fopen(name, mode);
    theirs = fopen(name, mode);
    COMPARE("fopen", theirs != NULL, ours != NULL);
    if (theirs == NULL) {
        COMPARE("errno", errno, *model___errno_location());
        return;
    }
    for (int i = 0; i < N_CALLS; i++)
        stream_call(theirs, ours, strcmp(mode, "r") != 0 && strcmp(mode, "rb") != 0);
    COMPARE("fclose", fclose(theirs), model_fclose(ours));
}

/* A stream of wide characters that is read, or written and then read as bytes. */
static void wide_stream(void) {
    wchar_t their_text[32] = {0}, our_text[32] = {0};
    char their_bytes[64] = "", our_bytes[64] = "";
    void *ours = model_fopen("A", "r");
    FILE *theirs = fopen("A", "r");
    for (int i = 0; i < N_CALLS; i++) {
        int count = (int)below(8);
        if (below(2))
            COMPARE("fgetwc", fgetwc(theirs), model_fgetwc(ours));
        else
            COMPARE("fgetws", fgetws(their_text, count, theirs) != NULL, model_fgetws(our_text, count, ours) != NULL);
        compare_bytes("characters", their_text, our_text, sizeof our_text);
        COMPARE("feof", feof(theirs) != 0, model_feof(ours) != 0);
    }
    COMPARE("fclose", fclose(theirs), model_fclose(ours));
    ours = model_fopen("B", "w");
    theirs = fopen("B", "w");
    COMPARE("fputwc", fputwc(L'a', theirs), model_fputwc(L'a', ours));
    COMPARE("fputws", fputws(L"b cd\n", theirs) >= 0, model_fputws(L"b cd\n", ours) >= 0);
    COMPARE("fclose", fclose(theirs), model_fclose(ours));
    ours = model_fopen("B", "r");
    theirs = fopen("B", "r");
    COMPARE("fread", (long)fread(their_bytes, 1, 64, theirs), (long)model_fread(our_bytes, 1, 64, ours));
    compare_bytes("bytes", their_bytes, our_bytes, sizeof our_bytes);
}

static void descriptors(void) {
    static const char *const names[] = {"A", "A", "B", "C", ""};
    static const int flags[] = {O_CREAT, O_TRUNC | O_RDWR, O_EXCL | O_CREAT, O_APPEND, 0, 0};
    int theirs = -1, ours = -1;
    for (int i = 0; i < N_CALLS; i++) {
        char their_text[64] = "", our_text[64] = "";
        struct stat their_stat, our_stat;
        const char *name = PICK(names);
        int how = flags[below(6)] | (int)below(3), whence = (int)below(4);
        size_t bytes = below(12);
        long offset = (long)below(BYTES) - 8;
        if ((how & O_TRUNC) != 0)
            how = O_TRUNC | O_RDWR;
        errno = *model___errno_location() = 0;
        switch (below(9)) {
        case 0:
        case 1:
            if (theirs >= 0)
                COMPARE("close", close(theirs), model_close(ours));
            tell(name);
            ours = model_open(name, how, 0666);
            theirs = open(name, how, 0666);
            COMPARE("open", theirs, ours);
            break;
        case 2:
        case 3:
            COMPARE("read", read(theirs, their_text, bytes), model_read(ours, our_text, bytes));
            break;
        case 4:
            COMPARE("write", write(theirs, "abcdefghijkl", bytes),
                    model_write(ours, "abcdefghijkl", bytes));
            break;
        case 5:
            if (whence == 3)
                whence = 7;
            COMPARE("lseek", lseek(theirs, offset, whence), model_lseek(ours, offset, whence));
            break;
        case 6:
            whence = (int)below(3) * 2;
            COMPARE("access", access(name, whence), model_access(name, whence));
            break;
        case 7:
            if (below(4) == 0)
                COMPARE("unlink", unlink(name), model_unlink(name));
            break;
        default:
            COMPARE("fstat", fstat(theirs, &their_stat), model_fstat(ours, &our_stat));
            if (theirs >= 0) {
                COMPARE("size", their_stat.st_size, our_stat.st_size);
                COMPARE("kind", their_stat.st_mode & S_IFMT, our_stat.st_mode & S_IFMT);
                COMPARE("isatty", isatty(theirs), model_isatty(ours));
            }
        }
        compare_bytes("bytes", their_text, our_text, sizeof our_text);
        if (errno != 0)
            COMPARE("errno", errno, *model___errno_location());
    }
}

int main(void) {
    char folder[] = "/tmp/environment-XXXXXX";
    int status, failed = 0, n_refused = 0;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 2;
    for (int i = 0; i < N_SEQUENCES && !failed; i++) {
        static const char alphabet[] = "0123456789 \n-+xXabcf%\t";
        FILE *file = fopen("A", "wb");
        for (int at = 0; at < BYTES; at++)
            content[at] = (unsigned char)alphabet[below(below(3) ? 12 : sizeof alphabet)];
        fwrite(content, 1, BYTES, file);
        fclose(file);
        unlink("B");
        unlink("C");
        below(i + 2);
        if (fork() == 0) {
            model_compact_se_environment_start();
            if (setjmp(refused))
                _exit(3);
            if (i % 20 == 1)
                wide_stream();
            else if (i % 3 == 0)
                descriptors();
            else
                streams();
            _exit(0);
        }
        wait(&status);
        failed = !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 3);
        if (failed && !WIFEXITED(status))
            printf("sequence %d crashes (signal %d)\n", i, WTERMSIG(status));
        n_refused += WIFEXITED(status) && WEXITSTATUS(status) == 3;
    }
    unlink("A");
    unlink("B");
    unlink("C");
    if (chdir("/") != 0 || rmdir(folder) != 0)
        return 2;
    /* Else too little is compared. */
    if (n_refused > N_SEQUENCES / 2) {
        printf("%d sequences of %d are refused\n", n_refused, N_SEQUENCES);
        return 2;
    }
    return failed;
}
