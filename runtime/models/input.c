/* Standard input that may hold anything: any bytes, any number of them, for programs that are analysed
 * without an environment of their own.
 *
 * Compiled without debug information, and linked with what is analysed only, as environment.c is: a
 * replay has a real standard input and reads it by the C library. Each function says what it gives, not
 * which bytes that is made of: a number is one input, a line a length and its bytes. Inputs have names
 * that begin with '@'. In their order they are the *readings* of a path, from which
 * src/frontend/readings.rs writes bytes.
 *
 * compact-se writes a head in front of this text, and behind it a function for each call of scanf and its
 * kin, by the format:
 *
 *     HAS_STREAM    the program uses the variable stdin
 *     IS_MIXED      it reads by streams and by descriptors
 *
 * Between readings the model remembers what may follow:
 * - whether the end was seen, or may have been seen, as behind the last digit of a number;
 * - which bytes may be next: behind a number there is no digit.
 * It has no pointers, so that any content of these variables is one that may be.
 *
 * What the model says:
 * - Once the end was seen it stays, as C has it. Streams are read without errors; a descriptor may fail at
 *   its first read, and then at all.
 * - Of texts, the first byte and the last are as the function promises; those between are any, which
 *   leaves out that a line has no other line end. A replay has the last word.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#define NULL ((void *)0)

/* Not pure, unlike elsewhere: a reading stays where the program does not look at what it gives. */
uint8_t __compact_se_input_i8(const char *name);
uint16_t __compact_se_input_i16(const char *name);
uint32_t __compact_se_input_i32(const char *name);
uint64_t __compact_se_input_i64(const char *name);
void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

enum { END_OF_FILE = -1 };
/* Longer lines and words than any memory of int's size are not read. */
#define LONGEST 0x7ffffffe

/* --- What may follow ------------------------------------------------------------------------ */

enum end { NOT_SEEN, SEEN, PERHAPS };
static int end;

/* Which byte is next, if there is one. */
enum limit { ANY_BYTE, SOME_BYTE /* there is one */, THIS_BYTE /* it was put back */ };
static int limit;
static uint8_t put_back;
/* Of a byte, bit b of word w: whether 64w + b may be next. */
static int has_bytes;
static uint64_t bytes0, bytes1, bytes2, bytes3;
static int has_begun;

#define BIT(c) (1ull << ((c) & 63))
#define SPACES (BIT(' ') | BIT('\t') | BIT('\n') | BIT('\v') | BIT('\f') | BIT('\r'))
#define DIGITS (0x3ffull << '0')
#define SIGNS (BIT('+') | BIT('-'))
#define ALL 0xffffffffffffffffull
/* Letters from a to f, and their capitals. */
#define LETTERS (0x7eull | 0x7eull << 32)

static int is_space(uint8_t c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }

static void let_follow(uint64_t word0, uint64_t word1, uint64_t word2, uint64_t word3) {
    limit = ANY_BYTE;
    has_bytes = 1;
    bytes0 = word0, bytes1 = word1, bytes2 = word2, bytes3 = word3;
}

/* Without branches. */
static int is_in(uint8_t c, uint64_t word0, uint64_t word1, uint64_t word2, uint64_t word3) {
    uint64_t word = (word0 & -(uint64_t)(c < 64)) | (word1 & -(uint64_t)((c >= 64) & (c < 128))) |
                    (word2 & -(uint64_t)((c >= 128) & (c < 192))) | (word3 & -(uint64_t)(c >= 192));
    return (int)(word >> (c & 63) & 1);
}

/* Of the first byte of what is read. */
static void take_first(uint8_t c) {
    if (limit == THIS_BYTE)
        __compact_se_assume(c == put_back);
    else if (has_bytes)
        __compact_se_assume(is_in(c, bytes0, bytes1, bytes2, bytes3));
    limit = ANY_BYTE;
    has_bytes = 0;
    has_begun = 1;
    end = NOT_SEEN;
}

/* Where there are no more. */
static void take_end(void) {
    if (limit != ANY_BYTE)
        __compact_se_assume(0);
    end = SEEN;
}

#ifdef HAS_STREAM
void *__compact_se_calloc_of_system(size_t count, size_t bytes);
void compact_se_uses_stream(const void *file);
void *stdin;
enum { SIZE_OF_STREAM = 216 };

void compact_se_environment_start(void) { stdin = __compact_se_calloc_of_system(1, SIZE_OF_STREAM); }

static void use(void *file) {
    if (file != stdin)
        __compact_se_unsupported("reading a stream that is not standard input (modelled with --sym-stdin, --sym-file or --sym-arg)");
    compact_se_uses_stream(file);
}
#else
void compact_se_environment_start(void) {}
static void use(void *file) { __compact_se_unsupported("reading a stream that is not standard input (modelled with --sym-stdin, --sym-file or --sym-arg)"); }
#endif

/* --- Characters ----------------------------------------------------------------------------- */

static int take_byte(void) {
    int c;
    if (end == SEEN)
        return END_OF_FILE;
    c = (int)__compact_se_input_i32("@byte");
    __compact_se_assume((c >= -1) & (c <= 255));
    if (c < 0)
        take_end();
    else
        take_first((uint8_t)c);
    return c;
}

static int take_byte_of(void *file) {
    use(file);
    return take_byte();
}

int getchar(void) { return take_byte(); }
int getchar_unlocked(void) { return take_byte(); }
int fgetc(void *file) { return take_byte_of(file); }
int getc(void *file) { return take_byte_of(file); }
int _IO_getc(void *file) { return take_byte_of(file); }
int fgetc_unlocked(void *file) { return take_byte_of(file); }
int getc_unlocked(void *file) { return take_byte_of(file); }

int ungetc(int c, void *file) {
    use(file);
    if (c == END_OF_FILE)
        return END_OF_FILE;
    if (limit == THIS_BYTE)
        __compact_se_unsupported("ungetc of more than one character");
    (void)__compact_se_input_i8("@ungetc");
    limit = THIS_BYTE;
    put_back = (uint8_t)c;
    /* What was known is of the byte behind. */
    has_bytes = 0;
    end = NOT_SEEN;
    return put_back;
}

/* Behind a number that is not followed by anything the end was seen. */
int feof(void *file) {
    use(file);
    if (end == PERHAPS) {
        int is_there = (int)__compact_se_input_i32("@end") & 1;
        if (is_there) {
            take_end();
        } else {
            limit = SOME_BYTE;
            end = NOT_SEEN;
        }
    }
    return end == SEEN;
}
int feof_unlocked(void *file) { return feof(file); }
int ferror(void *file) {
    use(file);
    return 0;
}
int ferror_unlocked(void *file) { return ferror(file); }

/* A terminal may have more behind its end. */
void clearerr(void *file) {
    use(file);
    if (end == SEEN)
        end = PERHAPS;
}

/* --- Blocks and lines ----------------------------------------------------------------------- */

/* So many bytes of any content; more than none. */
static void take_text(char *to, size_t length) {
    __compact_se_uninit(to, length, "@text");
    take_first((uint8_t)to[0]);
}

static char *take_line(char *to, int bytes) {
    uint32_t length;
    if (bytes <= 0)
        return NULL;
    if (bytes == 1) {
        to[0] = '\0';
        return to;
    }
    if (end == SEEN)
        return NULL;
    length = __compact_se_input_i32("@line");
    __compact_se_assume(length < (uint32_t)bytes);
    if (length == 0) {
        take_end();
        return NULL;
    }
    take_text(to, length);
    to[length] = '\0';
    if ((length < (uint32_t)bytes - 1) & (to[length - 1] != '\n'))
        end = SEEN;
    return to;
}

char *fgets(char *to, int bytes, void *file) {
    use(file);
    return take_line(to, bytes);
}
char *fgets_unlocked(char *to, int bytes, void *file) { return fgets(to, bytes, file); }

/* A line without its end. */
char *gets(char *to) {
    uint32_t length;
    if (end == SEEN)
        return NULL;
    length = __compact_se_input_i32("@gets");
    __compact_se_assume(length <= LONGEST);
    if (length == 0) {
        take_end();
        return NULL;
    }
    /* One more for the line's end, or where the input ends. */
    length -= 1;
    if (length > 0)
        take_text(to, length);
    else
        take_first('\n');
    to[length] = '\0';
    end = PERHAPS;
    return to;
}

size_t fread(void *to, size_t size, size_t count, void *file) {
    size_t bytes = size * count, taken;
    use(file);
    if (bytes == 0)
        return 0;
    if (end == SEEN)
        return 0;
    taken = __compact_se_input_i32("@block");
    __compact_se_assume(taken <= bytes);
    if (bytes > LONGEST)
        __compact_se_unsupported("fread of more than 2 GB");
    if (taken > 0)
        take_text(to, taken);
    if (taken == bytes)
        return count;
    take_end();
    return taken / size;
}
size_t fread_unlocked(void *to, size_t size, size_t count, void *file) { return fread(to, size, count, file); }

ssize_t read(int descriptor, void *to, size_t bytes) {
    int taken;
    if (descriptor != 0)
        __compact_se_unsupported("read of other than standard input (modelled with --sym-stdin, --sym-file or --sym-arg)");
#ifdef IS_MIXED
    __compact_se_unsupported("standard input that is read as a stream and by its descriptor");
#endif
    if (bytes > LONGEST)
        __compact_se_unsupported("read of more than 2 GB");
    taken = (int)__compact_se_input_i32("@read");
    __compact_se_assume((taken >= 0) & (taken <= (int)bytes) | (taken == -1) & !has_begun);
    if (taken > 0)
        take_text(to, (size_t)taken);
    return taken;
}

/* Of lines.c: the length of the next line with its end, or -1; and its bytes. */
ssize_t compact_se_next_line(int delimiter, void *file) {
    uint32_t length;
    use(file);
    if (end == SEEN)
        return -1;
    length = __compact_se_input_i32("@getline");
    __compact_se_assume(length <= LONGEST);
    if (length == 0) {
        take_end();
        return -1;
    }
    return (ssize_t)length;
}

void compact_se_take_line(char *to, size_t length, int delimiter) {
    take_text(to, length);
    if (to[length - 1] != (char)delimiter)
        end = SEEN;
}

/* --- Formatted input ------------------------------------------------------------------------ */

/* How one conversion ends. */
enum outcome { DONE, MISMATCH, INPUT_ENDS };

/* The result of scanf where a conversion is not done. */
static int failed(int outcome, int done) { return done == 0 ? -(outcome == INPUT_ENDS) : done; }

static void skip_spaces(void) {
    if (end == SEEN)
        return;
    if (limit == THIS_BYTE) {
        if (!is_space(put_back))
            return;
        let_follow(~SPACES, ALL, ALL, ALL);
    } else if (!has_bytes || (bytes0 & SPACES) != 0) {
        /* What must be there may be white space. */
        let_follow(~SPACES, ALL, ALL, ALL);
    } else {
        return;
    }
    end = PERHAPS;
}

/* A conversion of a number: how it ends. */
static int begin_number(void) {
    int outcome;
    if (end == SEEN)
        return INPUT_ENDS;
    outcome = (int)__compact_se_input_i32("@number");
    __compact_se_assume((unsigned)outcome <= INPUT_ENDS);
    has_begun = 1;
    limit = ANY_BYTE;
    /* Behind a mismatch there is the end only where a sign was there. */
    end = outcome == INPUT_ENDS ? SEEN : PERHAPS;
    return outcome;
}

/* Behind an integer there is no digit of its base, which is 2 where the text may choose it. */
static void end_integer(int base) {
    uint64_t digits = base == 2 ? 3ull << '0' : base == 8 ? 0xffull << '0' : DIGITS;
    let_follow(~digits, base == 16 ? ~LETTERS : ALL, ALL, ALL);
}

/* With a width, of which `least` and `most` are the bounds where `has_width` is 2. */
#define INTEGER(bits, type)                                                                        \
    static int integer##bits(void *to, const char *name, int base, int has_width, long long least,  \
                             long long most) {                                                     \
        int outcome = begin_number();                                                              \
        end_integer(base);                                                                         \
        if (has_width)                                                                             \
            has_bytes = 0;                                                                         \
        if (outcome == DONE) {                                                                     \
            uint##bits##_t value = __compact_se_input_i##bits(name);                               \
            if (has_width > 1)                                                                     \
                __compact_se_assume(((type)value >= (type)least) & ((type)value <= (type)most));   \
            if (to)                                                                                \
                *(uint##bits##_t *)to = value;                                                     \
        }                                                                                          \
        return outcome;                                                                            \
    }
INTEGER(8, __INT8_TYPE__)
INTEGER(16, __INT16_TYPE__)
INTEGER(32, __INT32_TYPE__)
INTEGER(64, __INT64_TYPE__)

/* Behind "inf" there may be anything. */
static int floating32(void *to) {
    int outcome = begin_number();
    has_bytes = 0;
    if (outcome == DONE) {
        uint32_t value = __compact_se_input_i32("@float");
        if (to)
            *(uint32_t *)to = value;
    }
    return outcome;
}

static int floating64(void *to) {
    int outcome = begin_number();
    has_bytes = 0;
    if (outcome == DONE) {
        uint64_t value = __compact_se_input_i64("@float");
        if (to)
            *(uint64_t *)to = value;
    }
    return outcome;
}

/* Of %c. */
static int character(char *to) {
    int c = take_byte();
    if (c < 0)
        return INPUT_ENDS;
    if (to)
        *to = (char)c;
    return DONE;
}

/* Of %s and %[: bytes of a set, `name` names both. */
static int word(char *to, const char *name, uint32_t width, uint64_t word0, uint64_t word1, uint64_t word2,
                uint64_t word3) {
    uint32_t length;
    if (end == SEEN)
        return INPUT_ENDS;
    length = __compact_se_input_i32(name);
    /* -1 for the end, 0 for none. */
    __compact_se_assume((length == (uint32_t)-1) | (length <= (width == 0 ? LONGEST : width)));
    if (length == (uint32_t)-1) {
        take_end();
        return INPUT_ENDS;
    }
    if (length == 0) {
        if (!has_bytes)
            let_follow(ALL, ALL, ALL, ALL);
        let_follow(bytes0 & ~word0, bytes1 & ~word1, bytes2 & ~word2, bytes3 & ~word3);
        if ((bytes0 | bytes1 | bytes2 | bytes3) == 0)
            __compact_se_assume(0);
        limit = SOME_BYTE;
        end = NOT_SEEN;
        return MISMATCH;
    }
    if (to) {
        take_text(to, length);
        __compact_se_assume(is_in((uint8_t)to[0], word0, word1, word2, word3));
        to[length] = '\0';
    }
    let_follow(~word0, ~word1, ~word2, ~word3);
    has_bytes = (width == 0) | (length < width);
    end = PERHAPS;
    return DONE;
}

/* Of a character of the format. */
static int literal(uint8_t c, const char *name) {
    int outcome;
    if (end == SEEN)
        return INPUT_ENDS;
    outcome = (int)__compact_se_input_i32(name);
    __compact_se_assume((unsigned)outcome <= INPUT_ENDS);
    if (outcome == DONE) {
        take_first(c);
    } else if (outcome == MISMATCH) {
        uint64_t bit = BIT(c);
        if (!has_bytes)
            let_follow(ALL, ALL, ALL, ALL);
        bytes0 &= c < 64 ? ~bit : ALL;
        bytes1 &= (c < 128) & (c >= 64) ? ~bit : ALL;
        limit = SOME_BYTE;
        end = NOT_SEEN;
    } else {
        take_end();
    }
    return outcome;
}
