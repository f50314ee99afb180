/* The environment of a program that is analysed with symbolic arguments, standard input or files
 * (--sym-arg and its kin): what main gets, and the functions of C and POSIX that read and write
 * files.
 *
 * Compiled without debug information, and linked with what is analysed only: a replay has real
 * arguments, a real standard input and real files, and calls the C library. Hence the inputs that
 * are read here have names that begin with '@': they are no records of a replay, but what it is
 * started with, or what its system chooses.
 *
 * compact-se writes a head in front of this text:
 *
 *     ARGUMENTS     TEXT("prog") SYMBOLIC("@arg00", 3) SEVERAL("@n_args00", 0, 2, …)
 *     MOST_ARGC     how many arguments there are at most, the program's name among them
 *     FILES         FILE_OF("A", "@file:A", 8) …: the files of the working folder
 *     STDIN_BYTES   size of standard input, which is a file
 *     USES_ERRNO    whether the program looks at errno
 *
 * What the model says:
 * - Standard input and the files are regular files of exactly their sizes. The working folder has
 *   no other files at first, and what a path with a slash leads to is not known.
 * - Files can be read and written, and writing to them succeeds; of what goes to standard output
 *   and standard error, only the result is seen.
 * - Streams have no buffers. Where a buffer could be seen the path ends: where a file is open
 *   twice and written, where streams and descriptors are mixed, where a stream is read and written
 *   without a change of its position between. It ends as well where a file grows too large.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
#define NULL ((void *)0)

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* Of reads.c, where accesses to memory are checked; else they do nothing. */
void compact_se_reads_text(const char *text);
void compact_se_reads_wide_text(const wchar_t *text);
void compact_se_reads_bytes(const void *from, size_t bytes);

/* Numbers of the GNU C library on Linux. */
enum { ENOENT = 2, EBADF = 9, EACCES = 13, EEXIST = 17, EINVAL = 22, ENOTTY = 25, ESPIPE = 29 };
enum { WRITE_ONLY = 1, READ_AND_WRITE = 2, ACCESS = 3, CREATE = 0100, EXCLUSIVE = 0200 };
enum { NO_TERMINAL = 0400, TRUNCATE = 01000, APPEND = 02000 };
enum { LARGE_FILE = 0100000, CLOSE_ON_EXEC = 02000000 };
enum { END_OF_FILE = -1 };

/* What the system chooses. */
#define CHOICE __compact_se_input_i32("@choice")
#define SUCCESS_OR_FAILURE -(int)(CHOICE & 1)

/* --- errno ---------------------------------------------------------------------------------- */

static int number;

int *__errno_location(void) { return &number; }

#ifdef USES_ERRNO
/* A function that succeeds may change it too. */
static void may_set_errno(void) {
    int new = (int)(__compact_se_input_i32("@errno") & 0x7fffffff);
    number = new | (number & -(new == 0));
}
#else
static void may_set_errno(void) {}
#endif

static int fail(int error) {
    number = error;
    return -1;
}

/* --- Arguments ------------------------------------------------------------------------------ */

static char *arguments[MOST_ARGC + 1];
static int n_arguments;

#define TEXT(text)                                                                                 \
    {                                                                                              \
        static char argument[] = text;                                                             \
        arguments[n_arguments++] = argument;                                                       \
    }
/* At most so many characters. */
#define SYMBOLIC(name, most)                                                                       \
    {                                                                                              \
        static char argument[(most) + 1];                                                          \
        __compact_se_uninit(argument, most, name);                                                 \
        arguments[n_arguments++] = argument;                                                       \
    }
/* The first `least` to `most` of those that stand behind: each is one OPTIONAL. */
#define SEVERAL(name, least, most, ...)                                                            \
    {                                                                                              \
        uint32_t count = __compact_se_input_i32(name);                                             \
        __compact_se_assume((count >= (least)) & (count <= (most)));                               \
        __VA_ARGS__                                                                                \
    }
#define OPTIONAL(position, argument)                                                               \
    if (count > (position))                                                                        \
        argument

int compact_se_main_argc(void) { return n_arguments; }
char **compact_se_main_argv(int argc) {
    (void)argc;
    return arguments;
}
char **compact_se_main_envp(void) { __compact_se_unsupported("the third parameter of main"); }

/* --- Files ---------------------------------------------------------------------------------- */

/* So much longer than at first a file may get, and so many files may be created. */
enum { GROWTH = 4096, MOST_CREATED = 4, LONGEST_NAME = 255 };

struct file {
    char *name;
    unsigned char *content; /* zeros behind its size */
    size_t size, most;
    int exists;
};

#define FILE_OF(name, input, bytes) +1
enum { N_GIVEN = 0 FILES, N_FILES = N_GIVEN + MOST_CREATED };
#undef FILE_OF

static struct file files[N_FILES];
static unsigned char created[MOST_CREATED][GROWTH];
static char created_names[MOST_CREATED][LONGEST_NAME + 1];
static unsigned char stdin_content[STDIN_BYTES + GROWTH];
static struct file stdin_file = {"", stdin_content, STDIN_BYTES, STDIN_BYTES + GROWTH, 1};

enum purpose { UNUSED, OF_STREAM, OF_DESCRIPTOR };

/* What is open, by its descriptor. */
struct description {
    struct file *file; /* NULL for standard output and standard error */
    size_t at;
    int is_open, reads, writes, appends;
    enum purpose purpose;
};

enum { MOST_OPEN = 16 };
static struct description descriptions[MOST_OPEN] = {
    {&stdin_file, 0, 1, 1, 0, 0, UNUSED},
    {NULL, 0, 1, 0, 1, 0, UNUSED},
    {NULL, 0, 1, 0, 1, 0, UNUSED},
};

/* Called where main begins. */
void compact_se_environment_start(void) {
    int n = 0;
    ARGUMENTS
    __compact_se_uninit(stdin_content, STDIN_BYTES, "@stdin");
#define FILE_OF(name, input, bytes)                                                                \
    {                                                                                              \
        static char text[] = name;                                                                 \
        static unsigned char content[(bytes) + GROWTH];                                            \
        __compact_se_uninit(content, bytes, input);                                                \
        files[n++] = (struct file){text, content, bytes, (bytes) + GROWTH, 1};                     \
    }
    FILES
    for (int i = 0; i < MOST_CREATED; i++)
        files[n++] = (struct file){NULL, created[i], 0, GROWTH, 0};
}

/* The file of this name in the working folder; NULL where there is none. */
static struct file *find(const char *path) {
    size_t length = 0;
    while (path[length] != '\0') {
        if (path[length] == '/')
            __compact_se_unsupported("a path with a slash");
        if (length == LONGEST_NAME)
            __compact_se_unsupported("a long file name");
        length++;
    }
    if (path[0] == '.' && (path[1] == '\0' || (path[1] == '.' && path[2] == '\0')))
        __compact_se_unsupported("a path to a folder");
    for (int i = 0; i < N_FILES; i++) {
        if (files[i].exists) {
            const char *name = files[i].name;
            size_t at = 0;
            while (name[at] == path[at] && path[at] != '\0')
                at++;
            if (name[at] == path[at])
                return &files[i];
        }
    }
    return NULL;
}

static struct file *create(const char *path) {
    for (int i = 0; i < MOST_CREATED; i++) {
        struct file *file = &files[N_GIVEN + i];
        /* The content of one that was removed may be open still. */
        if (file->name == NULL) {
            size_t at = 0;
            for (; path[at] != '\0'; at++)
                created_names[i][at] = path[at];
            file->name = created_names[i];
            file->exists = 1;
            return file;
        }
    }
    __compact_se_unsupported("more than 4 new files");
}

/* Descriptor, or -1. `flags` are those of open. */
static int open_file(const char *path, int flags) {
    struct file *file;
    int number = 0;
    if (path[0] == '\0')
        return fail(ENOENT);
    if ((flags & ~(ACCESS | CREATE | EXCLUSIVE | NO_TERMINAL | TRUNCATE | APPEND | LARGE_FILE |
                   CLOSE_ON_EXEC)) != 0 ||
        (flags & ACCESS) == ACCESS || ((flags & TRUNCATE) != 0 && (flags & ACCESS) == 0))
        __compact_se_unsupported("open with flags that are not modelled");
    file = find(path);
    if (file != NULL && (flags & (CREATE | EXCLUSIVE)) == (CREATE | EXCLUSIVE))
        return fail(EEXIST);
    if (file == NULL && (flags & CREATE) == 0)
        return fail(ENOENT);
    while (descriptions[number].is_open)
        if (++number == MOST_OPEN)
            __compact_se_unsupported("more than 16 open files");
    if (number < 3)
        __compact_se_unsupported("a file in the place of a standard stream");
    if (file == NULL)
        file = create(path);
    for (int i = 0; i < MOST_OPEN; i++)
        if (descriptions[i].is_open && descriptions[i].file == file &&
            (descriptions[i].writes || (flags & ACCESS) != 0))
            __compact_se_unsupported("writes to a file that is open twice");
    if ((flags & TRUNCATE) != 0) {
        __builtin_memset(file->content, 0, file->size);
        file->size = 0;
    }
    descriptions[number] =
        (struct description){file,
                             0,
                             1,
                             (flags & ACCESS) != WRITE_ONLY,
                             (flags & ACCESS) != 0,
                             (flags & APPEND) != 0,
                             UNUSED};
    may_set_errno();
    return number;
}

static struct description *description_of(int descriptor, enum purpose purpose) {
    struct description *description;
    if (descriptor < 0 || descriptor >= MOST_OPEN || !descriptions[descriptor].is_open)
        return NULL;
    description = &descriptions[descriptor];
    if (description->file != NULL) {
        if (description->purpose != UNUSED && description->purpose != purpose)
            __compact_se_unsupported("a file that is used as a stream and as a descriptor");
        description->purpose = purpose;
    }
    return description;
}

/* So many bytes as there are. */
static size_t take(struct description *from, void *to, size_t bytes) {
    size_t left = from->at < from->file->size ? from->file->size - from->at : 0;
    size_t taken = bytes < left ? bytes : left;
    __builtin_memcpy(to, from->file->content + from->at, taken);
    from->at += taken;
    return taken;
}

static void put(struct description *to, const void *from, size_t bytes) {
    struct file *file = to->file;
    if (bytes == 0)
        return;
    if (to->appends)
        to->at = file->size;
    if (to->at > file->most || bytes > file->most - to->at)
        __compact_se_unsupported("a file that grows by more than 4096 bytes");
    __builtin_memcpy(file->content + to->at, from, bytes);
    to->at += bytes;
    if (to->at > file->size)
        file->size = to->at;
}

/* The new position, or -1. */
static long seek(struct description *description, long offset, int whence) {
    size_t base = whence == 0 ? 0 : whence == 1 ? description->at : description->file->size;
    size_t position;
    if (whence < 0 || whence > 2)
        return fail(EINVAL);
    position = base + (size_t)offset;
    if ((long)position < 0)
        return fail(EINVAL);
    description->at = position;
    may_set_errno();
    return (long)position;
}

static int end_use(int descriptor) {
    descriptions[descriptor].is_open = 0;
    may_set_errno();
    return descriptions[descriptor].file == NULL ? SUCCESS_OR_FAILURE : 0;
}

/* --- Descriptors ---------------------------------------------------------------------------- */

int open(const char *path, int flags, ...) { return open_file(path, flags); }
int open64(const char *path, int flags, ...) { return open_file(path, flags); }
int creat(const char *path, unsigned mode) {
    (void)mode;
    return open_file(path, WRITE_ONLY | CREATE | TRUNCATE);
}

ssize_t read(int descriptor, void *to, size_t bytes) {
    struct description *from = description_of(descriptor, OF_DESCRIPTOR);
    if (from == NULL || !from->reads)
        return fail(EBADF);
    may_set_errno();
    return (ssize_t)take(from, to, bytes);
}

/* To standard output at most all, or -1. */
ssize_t write(int descriptor, const void *from, size_t bytes) {
    struct description *to = description_of(descriptor, OF_DESCRIPTOR);
    if (to == NULL || !to->writes)
        return fail(EBADF);
    may_set_errno();
    if (to->file == NULL) {
        size_t written = CHOICE;
        compact_se_reads_bytes(from, bytes);
        return (ssize_t)(written | -(size_t)(written > bytes));
    }
    put(to, from, bytes);
    return (ssize_t)bytes;
}

int close(int descriptor) {
    if (description_of(descriptor, OF_DESCRIPTOR) == NULL)
        return fail(EBADF);
    return end_use(descriptor);
}

long lseek(int descriptor, long offset, int whence) {
    struct description *description = description_of(descriptor, OF_DESCRIPTOR);
    if (description == NULL)
        return fail(EBADF);
    if (description->file == NULL)
        __compact_se_unsupported("lseek of standard output or standard error");
    return seek(description, offset, whence);
}

int fsync(int descriptor) {
    if (descriptor < 0 || descriptor >= MOST_OPEN || !descriptions[descriptor].is_open)
        return fail(EBADF);
    may_set_errno();
    return descriptions[descriptor].file == NULL ? SUCCESS_OR_FAILURE : 0;
}

int isatty(int descriptor) {
    if (descriptor < 0 || descriptor >= MOST_OPEN || !descriptions[descriptor].is_open) {
        number = EBADF;
        return 0;
    }
    may_set_errno();
    if (descriptions[descriptor].file == NULL)
        return (int)(CHOICE & 1);
    number = ENOTTY;
    return 0;
}

static int remove_file(const char *path) {
    struct file *file = path[0] == '\0' ? NULL : find(path);
    if (file == NULL)
        return fail(ENOENT);
    file->exists = 0;
    may_set_errno();
    return 0;
}

int unlink(const char *path) { return remove_file(path); }
int remove(const char *path) { return remove_file(path); }

/* Files can be read and written, and not executed. */
int access(const char *path, int mode) {
    if (mode < 0 || mode > 7)
        return fail(EINVAL);
    if (path[0] == '\0' || find(path) == NULL)
        return fail(ENOENT);
    if ((mode & 1) != 0)
        return fail(EACCES);
    may_set_errno();
    return 0;
}

/* --- stat ----------------------------------------------------------------------------------- */

#if __SIZEOF_POINTER__ == 8
/* A regular file of this size; of the rest anything. */
static int tell(const struct file *file, void *to) {
    enum { BYTES = 144, MODE = 24, SIZE = 48, REGULAR = 0100000 };
    uint32_t *mode = (uint32_t *)((char *)to + MODE);
    __compact_se_uninit(to, BYTES, "@stat");
    if (file != NULL) {
        *mode = (*mode & 0777) | REGULAR;
        *(uint64_t *)((char *)to + SIZE) = file->size;
    }
    may_set_errno();
    return 0;
}
#else
static int tell(const struct file *file, void *to) {
    (void)file, (void)to;
    __compact_se_unsupported("stat of a 32-bit program");
}
#endif

int fstat(int descriptor, void *to) {
    if (descriptor < 0 || descriptor >= MOST_OPEN || !descriptions[descriptor].is_open)
        return fail(EBADF);
    return tell(descriptions[descriptor].file, to);
}

static int tell_of_path(const char *path, void *to) {
    struct file *file = path[0] == '\0' ? NULL : find(path);
    if (file == NULL)
        return fail(ENOENT);
    return tell(file, to);
}

int stat(const char *path, void *to) { return tell_of_path(path, to); }
int lstat(const char *path, void *to) { return tell_of_path(path, to); }

/* --- Streams -------------------------------------------------------------------------------- */

enum { MOST_PUSHED = 4 };
enum latest { NEITHER, READ, WRITTEN };

/* The stream of a descriptor. */
enum orientation { OF_NOTHING, OF_BYTES, OF_WIDE_CHARACTERS };

struct stream {
    int is_open, saw_end, has_failed, n_pushed;
    enum latest latest;
    enum orientation orientation;
    unsigned char pushed[MOST_PUSHED];
};

static struct stream streams[MOST_OPEN] = {{.is_open = 1}, {.is_open = 1}, {.is_open = 1}};

void *stdin = &streams[0], *stdout = &streams[1], *stderr = &streams[2];

static struct description *of_stream(struct stream *stream) {
    struct description *description;
    if (!stream->is_open)
        __compact_se_unsupported("use of a stream that is closed");
    description = description_of((int)(stream - streams), OF_STREAM);
    if (description == NULL)
        __compact_se_unsupported("use of a stream whose descriptor is closed");
    return description;
}

/* The first function decides. */
static void orient(struct stream *stream, enum orientation orientation) {
    if (stream->orientation == OF_NOTHING)
        stream->orientation = orientation;
    if (stream->orientation != orientation)
        __compact_se_unsupported("functions for bytes and for wide characters of the same stream");
}

/* NULL where it cannot be read. */
static struct description *to_read_as(struct stream *stream, enum orientation orientation) {
    struct description *from = of_stream(stream);
    orient(stream, orientation);
    if (!from->reads) {
        stream->has_failed = 1;
        number = EBADF;
        return NULL;
    }
    if (stream->latest == WRITTEN)
        __compact_se_unsupported("a stream that is read after a write");
    stream->latest = READ;
    may_set_errno();
    return from;
}

static struct description *to_read(struct stream *stream) { return to_read_as(stream, OF_BYTES); }

static struct description *to_write_as(struct stream *stream, enum orientation orientation) {
    struct description *to = of_stream(stream);
    orient(stream, orientation);
    if (!to->writes) {
        stream->has_failed = 1;
        number = EBADF;
        return NULL;
    }
    if (stream->latest == READ && to->file != NULL)
        __compact_se_unsupported("a stream that is written after a read");
    stream->latest = WRITTEN;
    may_set_errno();
    return to;
}

static struct description *to_write(struct stream *stream) { return to_write_as(stream, OF_BYTES); }

/* The descriptor that a mode opens a file as, or -1. */
static int open_as(const char *path, const char *mode) {
    int flags = mode[0] == 'r'   ? 0
                : mode[0] == 'w' ? WRITE_ONLY | CREATE | TRUNCATE
                : mode[0] == 'a' ? WRITE_ONLY | CREATE | APPEND
                                 : -1;
    if (flags < 0)
        return fail(EINVAL);
    for (int i = 1; mode[i] != '\0'; i++) {
        if (mode[i] == '+')
            flags = (flags & ~ACCESS) | READ_AND_WRITE;
        else if (mode[i] == 'x')
            flags |= EXCLUSIVE;
        else if (mode[i] != 'b' && mode[i] != 'e')
            __compact_se_unsupported("fopen with a mode that is not modelled");
    }
    return open_file(path, flags);
}

void *fopen(const char *path, const char *mode) {
    int descriptor = open_as(path, mode);
    if (descriptor < 0)
        return NULL;
    descriptions[descriptor].purpose = OF_STREAM;
    /* As glibc has it; with "a+" the beginning is read first. */
    if (descriptions[descriptor].appends && !descriptions[descriptor].reads)
        descriptions[descriptor].at = descriptions[descriptor].file->size;
    streams[descriptor] = (struct stream){.is_open = 1};
    return &streams[descriptor];
}
void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

int fclose(void *file) {
    struct stream *stream = file;
    of_stream(stream);
    stream->is_open = 0;
    return end_use((int)(stream - streams)) == 0 ? 0 : END_OF_FILE;
}

int fflush(void *file) {
    struct stream *stream = file;
    if (file == NULL) {
        may_set_errno();
        return SUCCESS_OR_FAILURE;
    }
    if (stream->latest == READ)
        __compact_se_unsupported("fflush of a stream that is read");
    stream->latest = NEITHER;
    may_set_errno();
    return of_stream(stream)->file == NULL ? SUCCESS_OR_FAILURE : 0;
}

int fileno(void *file) {
    struct stream *stream = file;
    return (int)(stream - streams);
}
int feof(void *file) { return ((struct stream *)file)->saw_end; }
int feof_unlocked(void *file) { return feof(file); }
int fileno_unlocked(void *file) { return fileno(file); }
int ferror(void *file) { return ((struct stream *)file)->has_failed; }
void clearerr(void *file) { ((struct stream *)file)->saw_end = ((struct stream *)file)->has_failed = 0; }

/* Any number but 0 where it cannot be done. */
int setvbuf(void *file, char *buffer, int mode, size_t bytes) {
    (void)file, (void)buffer, (void)mode, (void)bytes;
    may_set_errno();
    return (int)CHOICE;
}
void setbuf(void *file, char *buffer) { (void)file, (void)buffer; }
void setlinebuf(void *file) { (void)file; }

/* --- Reading streams ------------------------------------------------------------------------ */

/* A byte, or EOF. Once the end was seen it stays. */
static int take_byte(struct stream *stream, struct description *from) {
    if (stream->n_pushed > 0)
        return stream->pushed[--stream->n_pushed];
    if (stream->saw_end || from->at >= from->file->size) {
        stream->saw_end = 1;
        return END_OF_FILE;
    }
    return from->file->content[from->at++];
}

static int read_byte(struct stream *stream) {
    struct description *from = to_read(stream);
    return from == NULL ? END_OF_FILE : take_byte(stream, from);
}

int fgetc(void *file) { return read_byte(file); }
int getc(void *file) { return read_byte(file); }
int _IO_getc(void *file) { return read_byte(file); }
int fgetc_unlocked(void *file) { return read_byte(file); }
int getc_unlocked(void *file) { return read_byte(file); }
int getchar(void) { return read_byte(&streams[0]); }
int getchar_unlocked(void) { return read_byte(&streams[0]); }

int ungetc(int c, void *file) {
    struct stream *stream = file;
    struct description *from;
    if (c == END_OF_FILE)
        return END_OF_FILE;
    from = to_read(stream);
    if (from == NULL)
        __compact_se_unsupported("ungetc to a stream that cannot be read");
    stream->saw_end = 0;
    if (stream->n_pushed == 0 && from->at > 0 && from->at <= from->file->size &&
        from->file->content[from->at - 1] == (unsigned char)c) {
        from->at--;
    } else {
        if (stream->n_pushed == MOST_PUSHED)
            __compact_se_unsupported("ungetc of more than 4 characters");
        stream->pushed[stream->n_pushed++] = (unsigned char)c;
    }
    return (unsigned char)c;
}

static char *read_line(char *to, int bytes, struct stream *stream) {
    struct description *from;
    int n = 0, c = 0;
    if (bytes <= 0)
        return NULL;
    if (bytes == 1) {
        to[0] = '\0';
        return to;
    }
    from = to_read(stream);
    if (from == NULL)
        return NULL;
    while (n < bytes - 1) {
        c = take_byte(stream, from);
        if (c == END_OF_FILE)
            break;
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (n == 0)
        return NULL;
    to[n] = '\0';
    return to;
}

char *fgets(char *to, int bytes, void *file) { return read_line(to, bytes, file); }
char *fgets_unlocked(char *to, int bytes, void *file) { return read_line(to, bytes, file); }

size_t fread(void *to, size_t size, size_t count, void *file) {
    struct stream *stream = file;
    size_t bytes = size * count, taken = 0;
    struct description *from;
    if (bytes == 0)
        return 0;
    from = to_read(stream);
    if (from == NULL)
        return 0;
    while (stream->n_pushed > 0 && taken < bytes)
        ((unsigned char *)to)[taken++] = stream->pushed[--stream->n_pushed];
    if (!stream->saw_end)
        taken += take(from, (char *)to + taken, bytes - taken);
    if (taken < bytes)
        stream->saw_end = 1;
    return taken == bytes ? count : taken / size;
}

size_t fread_unlocked(void *to, size_t size, size_t count, void *file) { return fread(to, size, count, file); }

/* --- Writing streams ------------------------------------------------------------------------ */

/* The character, or EOF. */
static int put_byte(int c, struct stream *stream) {
    struct description *to = to_write(stream);
    unsigned char byte = (unsigned char)c;
    if (to == NULL)
        return END_OF_FILE;
    if (to->file == NULL)
        return byte | SUCCESS_OR_FAILURE;
    put(to, &byte, 1);
    return byte;
}

int fputc(int c, void *file) { return put_byte(c, file); }
int putc(int c, void *file) { return put_byte(c, file); }
int _IO_putc(int c, void *file) { return put_byte(c, file); }
int putc_unlocked(int c, void *file) { return put_byte(c, file); }
int fputc_unlocked(int c, void *file) { return put_byte(c, file); }

/* EOF, or a number that is not negative. */
int fputs(const char *text, void *file) {
    struct description *to = to_write(file);
    size_t length = 0;
    if (to == NULL)
        return END_OF_FILE;
    if (to->file == NULL) {
        int result = (int)CHOICE;
        compact_se_reads_text(text);
        return result | result >> 31;
    }
    while (text[length] != '\0')
        length++;
    put(to, text, length);
    return (int)(CHOICE & 0x7fffffff);
}

int fputs_unlocked(const char *text, void *file) { return fputs(text, file); }

/* To standard output at most all. */
size_t fwrite(const void *from, size_t size, size_t count, void *file) {
    size_t bytes = size * count;
    struct description *to;
    if (bytes == 0)
        return 0;
    to = to_write(file);
    if (to == NULL)
        return 0;
    if (to->file == NULL) {
        size_t written = CHOICE;
        compact_se_reads_bytes(from, bytes);
        return written & -(size_t)(written <= count);
    }
    put(to, from, bytes);
    return count;
}

/* --- Wide characters ------------------------------------------------------------------------ */

/* In the C locale a character is a byte; of those from 128 on versions of the library disagree. */
static wint_t take_wide(struct stream *stream, struct description *from) {
    int c = take_byte(stream, from);
    if (c > 127)
        __compact_se_unsupported("a byte of 128 or more as a wide character");
    return (wint_t)c;
}

static wint_t read_wide(struct stream *stream) {
    struct description *from = to_read_as(stream, OF_WIDE_CHARACTERS);
    return from == NULL ? (wint_t)END_OF_FILE : take_wide(stream, from);
}

wint_t fgetwc(void *file) { return read_wide(file); }
wint_t getwc(void *file) { return read_wide(file); }
wint_t getwchar(void) { return read_wide(&streams[0]); }

/* The character, or WEOF. */
static wint_t put_wide(wchar_t c, struct stream *stream) {
    struct description *to = to_write_as(stream, OF_WIDE_CHARACTERS);
    unsigned char byte = (unsigned char)c;
    if (to == NULL)
        return (wint_t)END_OF_FILE;
    if (to->file == NULL)
        return (wint_t)c | (wint_t)SUCCESS_OR_FAILURE;
    if ((unsigned)c > 127)
        __compact_se_unsupported("a wide character of 128 or more as a byte");
    put(to, &byte, 1);
    return (wint_t)c;
}

wint_t fputwc(wchar_t c, void *file) { return put_wide(c, file); }
wint_t putwc(wchar_t c, void *file) { return put_wide(c, file); }

int fputws(const wchar_t *text, void *file) {
    struct description *to = to_write_as(file, OF_WIDE_CHARACTERS);
    if (to == NULL)
        return END_OF_FILE;
    if (to->file == NULL) {
        int result = (int)CHOICE;
        compact_se_reads_wide_text(text);
        return result | result >> 31;
    }
    for (; *text != 0; text++)
        put_wide(*text, file);
    return (int)(CHOICE & 0x7fffffff);
}

/* --- Formatted output ----------------------------------------------------------------------- */

size_t fwrite_unlocked(const void *from, size_t size, size_t count, void *file) {
    return fwrite(from, size, count, file);
}
int fflush_unlocked(void *file) { return fflush(file); }

/* Of formatted output the result is modelled, not what is written. */
void compact_se_only_output(void *file) {
    if (of_stream(file)->file != NULL)
        __compact_se_unsupported("formatted output to a file");
}
void compact_se_only_output_to(int descriptor) {
    struct description *to = description_of(descriptor, OF_DESCRIPTOR);
    if (to != NULL && to->file != NULL)
        __compact_se_unsupported("formatted output to a file");
}

/* --- Positions ------------------------------------------------------------------------------ */

static int move(struct stream *stream, long offset, int whence) {
    struct description *description = of_stream(stream);
    if (description->file == NULL)
        __compact_se_unsupported("the position of standard output or standard error");
    if (stream->n_pushed > 0)
        __compact_se_unsupported("a change of the position after ungetc");
    if (seek(description, offset, whence) < 0)
        return -1;
    stream->saw_end = stream->n_pushed = 0;
    stream->latest = NEITHER;
    return 0;
}

int fseek(void *file, long offset, int whence) { return move(file, offset, whence); }
int fseeko(void *file, long offset, int whence) { return move(file, offset, whence); }
#if __SIZEOF_LONG__ == 8
int fseeko64(void *file, long offset, int whence) { return move(file, offset, whence); }
#endif
void rewind(void *file) {
    move(file, 0, 0);
    ((struct stream *)file)->has_failed = 0;
}

static long position(struct stream *stream) {
    struct description *description = of_stream(stream);
    if (description->file == NULL)
        __compact_se_unsupported("the position of standard output or standard error");
    if (description->appends)
        __compact_se_unsupported("the position of a stream that appends");
    if ((size_t)stream->n_pushed > description->at)
        __compact_se_unsupported("a position before the beginning of a file");
    may_set_errno();
    return (long)description->at - stream->n_pushed;
}

long ftell(void *file) { return position(file); }
long ftello(void *file) { return position(file); }
#if __SIZEOF_LONG__ == 8
long ftello64(void *file) { return position(file); }
#endif

/* --- For scan.c ----------------------------------------------------------------------------- */

/* What is left of a stream, with a zero behind it, and how much that is; NULL where it cannot be read.
 * A replay has the same functions. */
static const char *rest_of(struct stream *stream, size_t *length, enum orientation orientation) {
    struct description *from = of_stream(stream);
    *length = 0;
    if (!from->reads) {
        number = EBADF;
        return NULL;
    }
    to_read_as(stream, orientation);
    if (stream->saw_end)
        return "";
    if (stream->n_pushed > 0)
        __compact_se_unsupported("formatted input after ungetc of another character");
    if (from->at >= from->file->size)
        return "";
    if (from->file->size == from->file->most)
        __compact_se_unsupported("a file that grows by more than 4096 bytes");
    *length = from->file->size - from->at;
    return (const char *)from->file->content + from->at;
}

const char *compact_se_rest_of_stream(void *file, size_t *length) {
    return rest_of(file, length, OF_BYTES);
}
const char *compact_se_rest_of_wide_stream(void *file, size_t *length) {
    return rest_of(file, length, OF_WIDE_CHARACTERS);
}

void compact_se_skip_in_stream(void *file, size_t bytes, int saw_end) {
    struct stream *stream = file;
    struct description *from = &descriptions[stream - streams];
    from->at += bytes;
    stream->saw_end |= saw_end;
}
