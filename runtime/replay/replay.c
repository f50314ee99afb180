/* The replay library: feeds recorded inputs to a natively compiled program.
 *
 * compact-se rewrites a program so that everything which is symbolic in the analysis is a call
 * of a function of this file, compiles the rewritten program natively, links it with this file
 * and runs it. If the run reaches the target, the analyser's claim is confirmed.
 *
 * Records
 * -------
 * The environment variable COMPACT_SE_REPLAY names a text file with a record a line, in the order
 * in which the program asks for them:
 *
 *     i32 4294967295 n                      an integer input: width, value, name
 *     i128 0x10000000000000000 wide         values may be written in hexadecimal
 *     bytes 8 00 line 0:48690a 7:ff         memory: size, default byte, name, then the bytes that
 *                                           differ from the default, as offset:hexadecimal bytes
 *     object 0x20000000 4096 00 there 2:01  memory that lies at this address, a multiple of 4096,
 *                                           before the program starts: these come first
 *
 * Integers are unsigned and their widths 8, 16, 32, 64 or 128 (a Boolean is an i8). Names hold no
 * white space; they serve messages only and are not compared.
 *
 * Outcomes
 * --------
 * One line goes to the file descriptor named in COMPACT_SE_REPLAY_FD (default: 2, standard error)
 * and the process ends at once, without flushing or running exit handlers:
 *
 *     exit code 86   compact-se: target reached
 *     exit code 87   compact-se: inputs diverge: <why>      records and program do not match
 *     exit code 88   compact-se: assumption violated
 *     exit code 89   compact-se: assertion failed
 *
 * With COMPACT_SE_ACCOUNT a program that returns from main or calls exit, and has not freed all
 * blocks, writes `compact-se: memory left: ` with four numbers: blocks and their bytes, and those of
 * them to which no pointer leads.
 *
 * A program that ends in any other way writes no such line. Before, a line `goal <number>` tells of
 * each goal of coverage that the run passes, when it does so for the first time.
 *
 * The analysed program may define functions of its own with the names of the C library (drivers
 * bring their own read and write). Hence this file uses little of that library: system calls for
 * files and output, no stdio, no strings, and malloc only in the functions that stand for it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The numbers of the system calls, because <sys/syscall.h> needs a header that 32-bit development
 * packages leave out. */
#if defined(__x86_64__)
enum { CALL_READ = 0, CALL_WRITE = 1, CALL_EXIT_GROUP = 231, CALL_OPENAT = 257 };
enum { CALL_GETPID = 39, CALL_GETTID = 186, CALL_TGKILL = 234 };
enum { CALL_MMAP = 9, CALL_MUNMAP = 11, CALL_MADVISE = 28, CALL_CLOSE = 3, CALL_FCNTL = 72 };
#elif defined(__i386__)
enum { CALL_READ = 3, CALL_WRITE = 4, CALL_EXIT_GROUP = 252, CALL_OPENAT = 295 };
enum { CALL_GETPID = 20, CALL_GETTID = 224, CALL_TGKILL = 270 };
enum { CALL_MMAP = 192 /* mmap2 */, CALL_MUNMAP = 91, CALL_MADVISE = 219 };
enum { CALL_CLOSE = 6, CALL_FCNTL = 221 /* fcntl64 */ };
#else
#error "the replay library knows x86 only"
#endif

enum {
    TARGET_REACHED = 86,
    INPUTS_DIVERGE = 87,
    ASSUMPTION_VIOLATED = 88,
    ASSERTION_FAILED = 89
};

/* With COMPACT_SE_SANITIZED the program is instrumented, and this file is not: what it does to the
 * program's memory in the program's name, it asks AddressSanitizer about. */
#ifdef COMPACT_SE_SANITIZED
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined"))),                \
                             apply_to = function)
void __asan_poison_memory_region(const volatile void *start, size_t bytes);
void *__asan_region_is_poisoned(void *start, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
enum { SANITIZED = 1 };

/* AddressSanitizer reports what is wrong with these bytes, and ends the process. */
static void check_access(void *memory, size_t bytes) {
    if (bytes > 0 && __asan_region_is_poisoned(memory, bytes) != NULL)
        memmove(memory, memory, bytes);
}
#else
enum { SANITIZED = 0 };
#ifdef COMPACT_SE_TRACKED
#pragma clang attribute push(__attribute__((no_sanitize("memory", "undefined"))),                 \
                             apply_to = function)
#endif
static void __asan_poison_memory_region(const volatile void *start, size_t bytes) {
    (void)start, (void)bytes;
}
static void check_access(void *memory, size_t bytes) { (void)memory, (void)bytes; }
#endif

/* Loops over bytes must stay loops: the program's own memset may be anything. */
#if defined(__clang__)
#define OWN_LOOPS __attribute__((no_builtin))
#else
#define OWN_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* In the place of the C library's, and not of the program's own. */
#define WEAK __attribute__((weak))

/* --- Outcomes ------------------------------------------------------------------------------ */

static char message[512];
static size_t message_length;

static void say(const char *text) {
    while (*text != '\0' && message_length < sizeof message - 1)
        message[message_length++] = *text++;
}

static void say_number(uint64_t number) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count > 0 && message_length < sizeof message - 1)
        message[message_length++] = digits[--count];
}

static int outcome_descriptor(void) {
    const char *text = getenv("COMPACT_SE_REPLAY_FD");
    int descriptor = 0;
    if (text == NULL || *text == '\0')
        return 2;
    for (; *text >= '0' && *text <= '9' && descriptor < 100000; text++)
        descriptor = 10 * descriptor + (*text - '0');
    return *text == '\0' ? descriptor : 2;
}

static void write_message(void) {
    size_t written = 0;
    int descriptor = outcome_descriptor();
    message[message_length++] = '\n';
    while (written < message_length) {
        long count = syscall(CALL_WRITE, descriptor, message + written, message_length - written);
        if (count <= 0)
            break;
        written += (size_t)count;
    }
}

/* Writes the message and ends the process. */
__attribute__((noreturn)) static void end(int code) {
    write_message();
    for (;;)
        syscall(CALL_EXIT_GROUP, code);
}

/* --- Reading records ----------------------------------------------------------------------- */

/* The file is read through a window of fixed size, so that a replay takes no memory from the
 * program and a record may be of any length. */
static char window[1 << 16];
static size_t window_next, window_end;
static int records = -1; /* file descriptor */
static uint64_t record_number;

enum { END_OF_FILE = -1, HIGH_DESCRIPTOR = 24 };

static int peek(void) {
    if (window_next == window_end) {
        long count = syscall(CALL_READ, records, window, sizeof window);
        if (count <= 0)
            return END_OF_FILE;
        window_next = 0;
        window_end = (size_t)count;
    }
    return (unsigned char)window[window_next];
}

static void skip(void) { window_next++; }

static void skip_blanks(void) {
    while (peek() == ' ')
        skip();
}

/* Reads up to the next blank or line end. Longer words than fit are cut, which only words of no
 * meaning (names) are. */
static void read_word(char *word, size_t capacity) {
    size_t length = 0;
    skip_blanks();
    for (int c = peek(); c != ' ' && c != '\n' && c != END_OF_FILE; c = peek()) {
        if (length < capacity - 1)
            word[length++] = (char)c;
        skip();
    }
    word[length] = '\0';
}

static int same(const char *lhs, const char *rhs) {
    while (*lhs != '\0' && *lhs == *rhs) {
        lhs++;
        rhs++;
    }
    return *lhs == *rhs;
}

/* What the program asks for now, for messages. */
static const char *asked_kind;
static uint64_t asked_bytes;
static const char *asked_name;

static void say_asked(void) {
    say("the program asks for ");
    say(asked_kind);
    if (same(asked_kind, "bytes")) {
        say(" ");
        say_number(asked_bytes);
    }
    say(" ");
    say(asked_name != NULL && *asked_name != '\0' ? asked_name : "(no name)");
}

__attribute__((noreturn)) static void diverge(const char *why) {
    message_length = 0;
    say("compact-se: inputs diverge: record ");
    say_number(record_number);
    say(" ");
    say(why);
    say(", ");
    say_asked();
    end(INPUTS_DIVERGE);
}

static int digit(int c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

struct wide {
    uint64_t low, high;
};

/* Reads an unsigned number, decimal below 2^64 or hexadecimal below 2^128. */
static struct wide read_number(void) {
    struct wide number;
    int base = 10, n_digits = 0;
    number.low = number.high = 0; /* not an initialiser, which may become a call of memset */
    skip_blanks();
    if (peek() == '0') {
        skip();
        n_digits = 1;
        if (peek() == 'x') {
            skip();
            n_digits = 0;
            base = 16;
        }
    }
    for (int d = digit(peek()); d < base; d = digit(peek())) {
        if (base == 16) {
            if (number.high >> 60 != 0)
                diverge("holds a number that is too large");
            number.high = number.high << 4 | number.low >> 60;
            number.low = number.low << 4 | (unsigned)d;
        } else {
            if (number.low > (UINT64_MAX - (unsigned)d) / 10)
                diverge("holds a number that is too large");
            number.low = 10 * number.low + (unsigned)d;
        }
        n_digits++;
        skip();
    }
    if (n_digits == 0)
        diverge("is malformed");
    return number;
}

static unsigned read_byte(void) {
    int high = digit(peek()), low;
    if (high < 16)
        skip();
    low = digit(peek());
    if (high == 16 || low == 16)
        diverge("is malformed");
    skip();
    return (unsigned)(16 * high + low);
}

/* Static, because initialising a local array may become a call of memset. */
static char why_kind[32] = "is of kind ";

static void place_objects(void);

/* Gives the file of the records a high descriptor: those that the program gets are the lowest. */
static void keep_out_of_the_way(void) {
    long high = syscall(CALL_FCNTL, records, (long)F_DUPFD_CLOEXEC, (long)HIGH_DESCRIPTOR);
    if (high >= 0) {
        syscall(CALL_CLOSE, records);
        records = (int)high;
    }
}

/* Opens the file at the first record and begins the next record, which must be of kind `kind`. */
static void begin_record(const char *kind, uint64_t bytes, const char *name) {
    char word[16];
    asked_kind = kind;
    asked_bytes = bytes;
    asked_name = name;
    record_number++;
    if (records < 0) {
        const char *path = getenv("COMPACT_SE_REPLAY");
        if (path == NULL)
            diverge("cannot be read: COMPACT_SE_REPLAY is not set");
        records = (int)syscall(CALL_OPENAT, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        if (records < 0)
            diverge("cannot be read: COMPACT_SE_REPLAY names no readable file");
        keep_out_of_the_way();
        place_objects();
    }
    if (peek() == END_OF_FILE)
        diverge("does not exist");
    read_word(word, sizeof word);
    if (!same(word, kind)) {
        for (size_t i = 0; i < sizeof word; i++)
            why_kind[11 + i] = word[i];
        diverge(why_kind);
    }
}

static void end_record(void) {
    skip_blanks();
    if (peek() == '\n')
        skip();
    else if (peek() != END_OF_FILE)
        diverge("is malformed");
}

static struct wide read_integer(const char *kind, int width, const char *name) {
    char word[8];
    struct wide value;
    begin_record(kind, 0, name);
    value = read_number();
    if ((width <= 64 && value.high != 0) || (width < 64 && value.low >> width != 0))
        diverge("holds a value that is too wide");
    read_word(word, sizeof word);
    end_record();
    return value;
}

/* Heap blocks know their size, because realloc copies exactly the old content: what lies behind
 * it belongs to the new block's record. */
struct header {
    size_t bytes;
    struct header *next; /* of the large blocks */
    void *start;         /* of what the system gave, at or before the header; AddressSanitizer writes to the first
                            eight bytes of a block that is freed, so that it stands behind them */
    uintptr_t mark;      /* its address, or the complement once it is freed: tells our blocks from foreign ones */
    enum allocator { MALLOC = 0, NEW = 16, NEW_ARRAY = 17, SYSTEM = 18 } allocator;
#ifdef COMPACT_SE_ACCOUNT
    struct header *older, *newer; /* of the blocks that the program has to free */
    int is_counted, is_held;
#endif
} __attribute__((aligned(16)));

/* Blocks of at least so many bytes are mapped one by one, so that their pages can be given back. */
enum { LARGE = 1 << 20, PAGE = 4096 };
static struct header *large_blocks;

/* Makes the memory zero without touching it, if it lies within a large block. Reading it costs no
 * physical memory then, and neither takes time for each byte. */
OWN_LOOPS static int zero_at_once(unsigned char *memory, size_t bytes) {
    uintptr_t start = (uintptr_t)memory, first = (start + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = start + bytes, last = end / PAGE * PAGE;
    const struct header *block;
    if (bytes < LARGE)
        return 0;
    for (block = large_blocks; block != NULL; block = block->next)
        if ((uintptr_t)(block + 1) <= start && end <= (uintptr_t)(block + 1) + block->bytes)
            break;
    if (block == NULL || syscall(CALL_MADVISE, first, last - first, (long)MADV_DONTNEED) != 0)
        return 0;
    for (; start < first; start++)
        *(unsigned char *)start = 0;
    for (; last < end; last++)
        *(unsigned char *)last = 0;
    return 1;
}

/* Reads the rest of a bytes record, from its default on, into memory. `zeroed` says that the memory
 * holds zeros already: a large block that is zero but for a few bytes then costs no physical
 * memory. */
OWN_LOOPS static void read_content(unsigned char *memory, size_t bytes, int zeroed) {
    char word[8];
    unsigned fill;
    skip_blanks();
    fill = read_byte();
    if (fill != 0 || !(zeroed || zero_at_once(memory, bytes)))
        for (size_t i = 0; i < bytes; i++)
            memory[i] = (unsigned char)fill;
    read_word(word, sizeof word);
    for (skip_blanks(); peek() != '\n' && peek() != END_OF_FILE; skip_blanks()) {
        struct wide offset = read_number();
        if (peek() != ':')
            diverge("is malformed");
        skip();
        do {
            unsigned byte = read_byte();
            if (offset.high != 0 || offset.low >= bytes)
                diverge("has bytes beyond its size");
            memory[offset.low++] = (unsigned char)byte;
        } while (peek() != ' ' && peek() != '\n' && peek() != END_OF_FILE);
    }
    end_record();
}

/* Reads a bytes record into memory. */
static void read_bytes(unsigned char *memory, size_t bytes, const char *name, int zeroed) {
    struct wide size;
    begin_record("bytes", bytes, name);
    size = read_number();
    if (size.high != 0 || size.low != bytes)
        diverge("is of another size");
    read_content(memory, bytes, zeroed);
}

/* What <linux/mman.h> says. */
enum { FIXED_IF_FREE = 0x100000 };

/* Where objects were put that are memory of somebody else: what they lead to is not lost. */
enum { MOST_PLACED = 256 };
static struct {
    unsigned char *start, *end;
} placed[MOST_PLACED];
static size_t n_placed;

/* Puts the objects of the records at the file's beginning where they belong. The values that point
 * to them are inputs, so that no program gets there before it asks for its first one. */
static void place_objects(void) {
    while (peek() == 'o') {
        char word[8];
        struct wide address, size;
        read_word(word, sizeof word);
        address = read_number();
        size = read_number();
        if (address.low > UINTPTR_MAX || size.low > SIZE_MAX || size.low == 0 || n_placed == MOST_PLACED ||
            syscall(CALL_MMAP, (uintptr_t)address.low, (size_t)size.low,
                    (long)(PROT_READ | PROT_WRITE),
                    (long)(MAP_PRIVATE | MAP_ANONYMOUS | FIXED_IF_FREE), -1L,
                    0L) != (long)address.low)
            diverge("is an object that cannot be put at its address");
        placed[n_placed].start = (unsigned char *)(uintptr_t)address.low;
        placed[n_placed].end = placed[n_placed].start + size.low;
        read_content(placed[n_placed++].start, (size_t)size.low, 1);
    }
}

/* --- What prepared programs call ------------------------------------------------------------ */

uint8_t __compact_se_input_i8(const char *name) {
    return (uint8_t)read_integer("i8", 8, name).low;
}

uint16_t __compact_se_input_i16(const char *name) {
    return (uint16_t)read_integer("i16", 16, name).low;
}

uint32_t __compact_se_input_i32(const char *name) {
    return (uint32_t)read_integer("i32", 32, name).low;
}

uint64_t __compact_se_input_i64(const char *name) { return read_integer("i64", 64, name).low; }

#ifdef __SIZEOF_INT128__ /* not with -m32, where C has no such type */
unsigned __int128 __compact_se_input_i128(const char *name) {
    struct wide value = read_integer("i128", 128, name);
    return (unsigned __int128)value.high << 64 | value.low;
}
#endif

/* The same for the result of a call of a function without a body. */
uint8_t __compact_se_call_i8(const char *name, const char *callee) {
    (void)callee;
    return __compact_se_input_i8(name);
}

uint16_t __compact_se_call_i16(const char *name, const char *callee) {
    (void)callee;
    return __compact_se_input_i16(name);
}

uint32_t __compact_se_call_i32(const char *name, const char *callee) {
    (void)callee;
    return __compact_se_input_i32(name);
}

uint64_t __compact_se_call_i64(const char *name, const char *callee) {
    (void)callee;
    return __compact_se_input_i64(name);
}

#ifdef __SIZEOF_INT128__
unsigned __int128 __compact_se_call_i128(const char *name, const char *callee) {
    (void)callee;
    return __compact_se_input_i128(name);
}
#endif

/* AddressSanitizer's library looks at these pointers. */
#ifdef COMPACT_SE_SANITIZED
void __sanitizer_ptr_cmp(const void *one, const void *other);
void __compact_se_pair(const void *one, const void *other) { __sanitizer_ptr_cmp(one, other); }
#else
void __compact_se_pair(const void *one, const void *other) { (void)one, (void)other; }
#endif

/* Proofs cut loops here; a run goes on. */
void __compact_se_cut(void) {}

/* The program passes a goal of coverage; told once, at once, since nobody knows how it ends. */
void __compact_se_goal(unsigned number) {
    static unsigned char seen[1 << 17];
    char line[16] = "goal ";
    char digits[10];
    int n_digits = 0, length = 5;
    if (number / 8 >= sizeof seen || (seen[number / 8] >> number % 8 & 1) != 0)
        return;
    seen[number / 8] |= (unsigned char)(1 << number % 8);
    do {
        digits[n_digits++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (n_digits > 0)
        line[length++] = digits[--n_digits];
    line[length++] = '\n';
    syscall(CALL_WRITE, outcome_descriptor(), line, (long)length);
}

/* With COMPACT_SE_TRACKED MemorySanitizer reports uses of values that were not written. What is filled
 * from a record in the place of such values is marked so. */
#ifdef COMPACT_SE_TRACKED
void __msan_poison(const volatile void *start, size_t bytes);
void __msan_unpoison(const volatile void *start, size_t bytes);
void __msan_copy_shadow(const volatile void *to, const volatile void *from, size_t bytes);
static void mark_unwritten(void *memory, size_t bytes) { __msan_poison(memory, bytes); }
static void mark_written(void *memory, size_t bytes) { __msan_unpoison(memory, bytes); }
static void copy_marks(void *to, const void *from, size_t bytes) {
    __msan_copy_shadow(to, from, bytes);
}
#else
static void mark_unwritten(void *memory, size_t bytes) { (void)memory, (void)bytes; }
static void mark_written(void *memory, size_t bytes) { (void)memory, (void)bytes; }
static void copy_marks(void *to, const void *from, size_t bytes) { (void)to, (void)from, (void)bytes; }
#endif

/* Fills memory that is uninitialised or made symbolic; consumes a bytes record of that size,
 * also if the size is 0. */
void __compact_se_uninit(void *memory, size_t bytes, const char *name) {
    check_access(memory, bytes);
    read_bytes(memory, bytes, name, 0);
    mark_written(memory, bytes);
}

/* The analysis knows; here variables have no size, and are not symbolic. */
void __compact_se_has_size(const void *object, size_t bytes) { (void)object, (void)bytes; }

void __compact_se_is_symbolic(uintptr_t value, uintptr_t answer) { (void)value, (void)answer; }

/* The same for memory that the program has not written. */
void __compact_se_unwritten(void *memory, size_t bytes, const char *name) {
    check_access(memory, bytes);
    read_bytes(memory, bytes, name, 0);
    mark_unwritten(memory, bytes);
}

/* --- Account of blocks ---------------------------------------------------------------------- */

#ifdef COMPACT_SE_ACCOUNT
/* The blocks that the program has to free, the latest first. Pointers into headers hold no block. */
static struct header *counted;

static void count_in(void *block) {
    struct header *header = (struct header *)block - 1;
    header->is_counted = 1;
    header->is_held = 0;
    header->newer = NULL;
    header->older = counted;
    if (counted != NULL)
        counted->newer = header;
    counted = header;
}

static void count_out(struct header *header) {
    if (!header->is_counted)
        return;
    header->is_counted = 0;
    if (header->newer != NULL)
        header->newer->older = header->older;
    else
        counted = header->older;
    if (header->older != NULL)
        header->older->newer = header->newer;
}

/* Where the stack ends, and where it begins if functions run when the program ends. */
static void *stack_end, *stack_start;

__attribute__((constructor)) static void note_stack(int argc, char **argv) {
    (void)argc;
    stack_end = argv;
}

__attribute__((noreturn)) void __real_exit(int code);
__attribute__((noreturn)) void __wrap_exit(int code) {
    stack_start = __builtin_frame_address(0);
    __real_exit(code);
}

/* The blocks by address, and behind them those that are held and were not searched yet. */
static struct header **table;
static size_t n_table, n_open;

static void sift(size_t root, size_t n) {
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        struct header *moved = table[root];
        if (child + 1 < n && table[child] < table[child + 1])
            child++;
        if (moved >= table[child])
            return;
        table[root] = table[child];
        table[child] = moved;
    }
}

static void sort_table(void) {
    for (size_t i = n_table / 2; i-- > 0;)
        sift(i, n_table);
    for (size_t n = n_table; n-- > 1;) {
        struct header *last = table[n];
        table[n] = table[0];
        table[0] = last;
        sift(0, n);
    }
}

/* The blocks into which words of this memory point are held. */
static void search(const void *from, const void *to) {
    uintptr_t at = ((uintptr_t)from + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    for (; at + sizeof(void *) <= (uintptr_t)to; at += sizeof(void *)) {
        uintptr_t word = *(uintptr_t *)at;
        size_t low = 0, high = n_table;
        struct header *header;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if ((uintptr_t)(table[middle] + 1) <= word)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == 0)
            continue;
        header = table[low - 1];
        if (header->is_held || word - (uintptr_t)(header + 1) >= header->bytes + (header->bytes == 0))
            continue;
        header->is_held = 1;
        table[n_table + n_open++] = header;
    }
}

/* The last destructor: what other destructors and exit handlers free is freed. */
extern char __data_start[], _end[];
__attribute__((destructor(101))) static void tell_what_is_left(void) {
    uint64_t blocks = 0, bytes = 0, lost = 0, lost_bytes = 0;
    long mapped;
    for (struct header *header = counted; header != NULL; header = header->older) {
        blocks++;
        bytes += header->bytes;
    }
    if (blocks == 0)
        return;
    mapped = syscall(CALL_MMAP, NULL, (size_t)(2 * blocks * sizeof *table), (long)(PROT_READ | PROT_WRITE),
                     (long)(MAP_PRIVATE | MAP_ANONYMOUS), -1L, 0L);
    if (mapped == -1)
        return;
    table = (struct header **)mapped;
    for (struct header *header = counted; header != NULL; header = header->older)
        table[n_table++] = header;
    sort_table();
    search(__data_start, _end);
    for (size_t i = 0; i < n_placed; i++)
        search(placed[i].start, placed[i].end);
    if (stack_start != NULL)
        search(stack_start, stack_end);
    while (n_open > 0) {
        struct header *header = table[n_table + --n_open];
        search(header + 1, (char *)(header + 1) + header->bytes);
    }
    for (struct header *header = counted; header != NULL; header = header->older)
        if (!header->is_held) {
            lost++;
            lost_bytes += header->bytes;
        }
    message_length = 0;
    say("compact-se: memory left: ");
    say_number(blocks), say(" "), say_number(bytes);
    say(" "), say_number(lost), say(" "), say_number(lost_bytes);
    say(stack_start != NULL ? " 1\n" : " 0\n");
    syscall(CALL_WRITE, outcome_descriptor(), message, (long)message_length);
}
#else
static void count_in(void *block) { (void)block; }
static void count_out(struct header *header) { (void)header; }
#endif

/* Of a block that is freed or resized as blocks of this allocator are, with its size or SIZE_MAX. */
static struct header *header_of(void *block, enum allocator allocator, size_t bytes) {
    struct header *header = (struct header *)block - 1;
    if (header->mark != (uintptr_t)header) {
        /* AddressSanitizer reports it: a block that was freed, or none. */
        if (SANITIZED)
            free(header->mark == ~(uintptr_t)header ? header->start : block);
        message_length = 0;
        say("compact-se: inputs diverge: a freed or resized block was not allocated");
        end(INPUTS_DIVERGE);
    }
    if (header->allocator != allocator || (bytes != SIZE_MAX && bytes != header->bytes)) {
        /* AddressSanitizer reports that it is no block of its own. */
        if (SANITIZED)
            free(block);
        message_length = 0;
        say("compact-se: inputs diverge: a block is freed in a way that does not match its allocation");
        end(INPUTS_DIVERGE);
    }
    return header;
}

/* A zeroed block at a multiple of `alignment`, a power of two; the analysis knows no allocation that
 * fails but of what no object can have, so neither does the replay. */
static void *allocate_at(size_t alignment, size_t bytes) {
    size_t slack = alignment > __alignof__(struct header) ? alignment : 0;
    size_t before = sizeof(struct header) + slack;
    struct header *header = NULL;
    char *start = NULL;
    if (slack > LARGE || bytes > PTRDIFF_MAX - before) {
        /* There is no such place. */
    } else if (bytes >= LARGE && !SANITIZED) {
        long mapped = syscall(CALL_MMAP, NULL, before + bytes, (long)(PROT_READ | PROT_WRITE),
                              (long)(MAP_PRIVATE | MAP_ANONYMOUS), -1L, 0L);
        start = mapped == -1 ? NULL : (char *)mapped;
    } else {
        start = calloc(1, before + bytes);
    }
    if (start != NULL) {
        uintptr_t block = (uintptr_t)(start + before);
        header = (struct header *)(slack == 0 ? block : block / alignment * alignment) - 1;
        header->start = start;
        if (bytes >= LARGE && !SANITIZED) {
            header->next = large_blocks;
            large_blocks = header;
        }
    }
    if (header == NULL) {
        message_length = 0;
        say("compact-se: inputs diverge: no memory for a block of bytes ");
        say_number(bytes);
        end(INPUTS_DIVERGE);
    }
    header->bytes = bytes;
    header->mark = (uintptr_t)header;
    header->allocator = MALLOC;
    __asan_poison_memory_region(start, (size_t)((char *)(header + 1) - start));
    __asan_poison_memory_region((char *)(header + 1) + bytes,
                                (size_t)(start + before - (char *)(header + 1)));
    return header + 1;
}

static void *allocate(size_t bytes) { return allocate_at(1, bytes); }

/* Consumes a bytes record of the block's size, also if it is 0; none where there is no block, since no object
 * is so large. */
void *__compact_se_malloc(size_t bytes) {
    if (bytes > PTRDIFF_MAX)
        return NULL;
    void *block = allocate(bytes);
    count_in(block);
    read_bytes(block, bytes, "malloc", 1);
    mark_unwritten(block, bytes);
    return block;
}

/* As malloc, at a multiple of `alignment`, a power of two. */
void *__compact_se_aligned_alloc(size_t alignment, size_t bytes) {
    if (bytes > PTRDIFF_MAX)
        return NULL;
    void *block = allocate_at(alignment, bytes);
    count_in(block);
    read_bytes(block, bytes, "aligned_alloc", 1);
    mark_unwritten(block, bytes);
    return block;
}

static void *zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return allocate(bytes);
}

/* As calloc, a block that the program need not free, and may not. */
void *__compact_se_calloc_of_system(size_t count, size_t size) {
    struct header *block = zeroed(count, size);
    if (block != NULL)
        block[-1].allocator = SYSTEM;
    return block;
}

/* Consumes no record. */
void *__compact_se_calloc(size_t count, size_t size) {
    void *block = zeroed(count, size);
    if (block != NULL)
        count_in(block);
    return block;
}

static void release(void *block, enum allocator allocator, size_t bytes) {
    if (block != NULL) {
        struct header *header = header_of(block, allocator, bytes);
        count_out(header);
        header->mark = ~(uintptr_t)header;
        if (header->bytes >= LARGE && !SANITIZED) {
            struct header **link = &large_blocks;
            while (*link != header)
                link = &(*link)->next;
            *link = header->next;
            syscall(CALL_MUNMAP, header->start,
                    (size_t)((char *)(header + 1) + header->bytes - (char *)header->start));
        } else {
            free(header->start);
        }
    }
}

void __compact_se_free(void *block) { release(block, MALLOC, SIZE_MAX); }
extern void *stdin;
/* Standard input may be the C library's. */
void __compact_se_free_of_system(void *block) {
    if (block != stdin)
        release(block, SYSTEM, SIZE_MAX);
}

/* What new and new[] of C++ give, as aligned_alloc. */
static void *allocate_by(enum allocator allocator, size_t alignment, size_t bytes,
                         const char *name) {
    struct header *block = allocate_at(alignment, bytes);
    block[-1].allocator = allocator;
    count_in(block);
    read_bytes((unsigned char *)block, bytes, name, 1);
    mark_unwritten(block, bytes);
    return block;
}

void *__compact_se_new(size_t alignment, size_t bytes) {
    return allocate_by(NEW, alignment, bytes, "new");
}
void *__compact_se_new_array(size_t alignment, size_t bytes) {
    return allocate_by(NEW_ARRAY, alignment, bytes, "new_array");
}
/* `bytes` are those that were allocated, or SIZE_MAX where the program does not tell. */
void __compact_se_delete(void *block, size_t bytes) { release(block, NEW, bytes); }
void __compact_se_delete_array(void *block, size_t bytes) { release(block, NEW_ARRAY, bytes); }

/* Consumes a bytes record of the new size, for the whole new block; the old content then
 * replaces its beginning. The block always moves; to size 0 it is freed, as the platform's library
 * does it. */
OWN_LOOPS void *__compact_se_realloc(void *old, size_t bytes) {
    if (old != NULL && bytes == 0) {
        __compact_se_free(old);
        return NULL;
    }
    /* Before anything else, as a block that is none is noticed. */
    size_t kept = old == NULL ? 0 : header_of(old, MALLOC, SIZE_MAX)->bytes;
    if (bytes > PTRDIFF_MAX)
        return NULL;
    unsigned char *block = allocate(bytes);
    count_in(block);
    read_bytes(block, bytes, "realloc", 1);
    mark_unwritten(block, bytes);
    if (old != NULL) {
        if (kept > bytes)
            kept = bytes;
        for (size_t i = 0; i < kept; i++)
            block[i] = ((unsigned char *)old)[i];
        copy_marks(block, old, kept);
        __compact_se_free(old);
    }
    return block;
}

__attribute__((noreturn)) void __compact_se_target(void) {
    message_length = 0;
    say("compact-se: target reached");
    end(TARGET_REACHED);
}

void __compact_se_assume(int condition) {
    if (!condition) {
        message_length = 0;
        say("compact-se: assumption violated");
        end(ASSUMPTION_VIOLATED);
    }
}

/* --- Streams -------------------------------------------------------------------------------- */

/* What models of formatted input and output ask of streams that are the C library's
 * (runtime/models/environment.c says what they mean). These functions are used by prepared programs
 * only. */
int __freadable(void *file), fgetc(void *file), feof(void *file), fseek(void *file, long offset, int whence);
unsigned fgetwc(void *file);
int fwide(void *file, int mode);
long ftell(void *file);

static int read_character(void *file) { return fwide(file, 0) > 0 ? (int)fgetwc(file) : fgetc(file); }

WEAK void compact_se_only_output(void *file) { (void)file; }
WEAK void compact_se_only_output_to(int descriptor) { (void)descriptor; }

WEAK const char *compact_se_rest_of_stream(void *file, size_t *length) {
    static char *rest;
    static size_t capacity;
    long start;
    size_t n = 0;
    *length = 0;
    if (!__freadable(file))
        return NULL;
    start = ftell(file);
    if (feof(file))
        return "";
    for (int c = read_character(file);; c = read_character(file)) {
        if (n == capacity) {
            size_t more = 2 * capacity + PAGE;
            char *larger = allocate(more);
            for (size_t i = 0; i < n; i++)
                larger[i] = rest[i];
            if (rest != NULL)
                __compact_se_free(rest);
            rest = larger;
            capacity = more;
        }
        rest[n] = c == END_OF_FILE ? '\0' : (char)c;
        if (c == END_OF_FILE)
            break;
        n++;
    }
    fseek(file, start, SEEK_SET);
    *length = n;
    return rest;
}

WEAK const char *compact_se_rest_of_wide_stream(void *file, size_t *length) {
    fwide(file, 1);
    return compact_se_rest_of_stream(file, length);
}

/* A stream whose end was seen gives no more. */
WEAK void compact_se_skip_in_stream(void *file, size_t bytes, int saw_end) {
    fseek(file, (long)bytes, SEEK_CUR);
    if (saw_end)
        read_character(file);
}

/* The next line up to its delimiter (runtime/models/lines.c): its length, or -1; then its bytes. */
static char *next_line;

WEAK OWN_LOOPS ptrdiff_t compact_se_next_line(int delimiter, void *file) {
    size_t capacity = 0, n = 0;
    int c = END_OF_FILE;
    do {
        if (n == capacity) {
            size_t more = 2 * capacity + PAGE;
            char *larger = allocate(more);
            for (size_t i = 0; i < n; i++)
                larger[i] = next_line[i];
            if (n > 0)
                __compact_se_free(next_line);
            next_line = larger;
            capacity = more;
        }
        c = fgetc(file);
        if (c != END_OF_FILE)
            next_line[n++] = (char)c;
    } while (c != END_OF_FILE && c != delimiter);
    return n == 0 ? -1 : (ptrdiff_t)n;
}

WEAK OWN_LOOPS void compact_se_take_line(char *to, size_t length, int delimiter) {
    (void)delimiter;
    check_access(to, length);
    for (size_t i = 0; i < length; i++)
        to[i] = next_line[i];
    __compact_se_free(next_line);
}

#ifdef COMPACT_SE_SANITIZED
/* AddressSanitizer looks at what fgets writes up to the first zero only; the linker puts this in its
 * place. */
char *__wrap_fgets(char *to, int bytes, void *file) {
    int n = 0;
    if (bytes == 1) {
        check_access(to, 1);
        to[0] = '\0';
        return to;
    }
    while (n < bytes - 1) {
        int c = fgetc(file);
        if (c == END_OF_FILE)
            break;
        check_access(to + n, 1);
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (n == 0)
        return NULL;
    check_access(to + n, 1);
    to[n] = '\0';
    return to;
}
#endif

/* --- Assertions --------------------------------------------------------------------------- */

__attribute__((noreturn)) static void assertion_failed(void) {
    message_length = 0;
    say("compact-se: assertion failed");
    end(ASSERTION_FAILED);
}

WEAK void __assert_fail(const char *assertion, const char *file, unsigned line,
                        const char *function) {
    (void)assertion, (void)file, (void)line, (void)function;
    assertion_failed();
}
WEAK void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error, (void)file, (void)line, (void)function;
    assertion_failed();
}
WEAK void __assert(const char *assertion, const char *file, int line) {
    (void)assertion, (void)file, (void)line;
    assertion_failed();
}
WEAK void __assert_rtn(const char *function, const char *file, int line, const char *assertion) {
    (void)function, (void)file, (void)line, (void)assertion;
    assertion_failed();
}

/* --- Ends that the program asks for --------------------------------------------------------- */

/* The program says where it ends itself, before it does. */
void __compact_se_ends_at(uint32_t line, uint32_t column) {
    message_length = 0;
    say("ends at ");
    say_number(line);
    say(":");
    say_number(column);
    write_message();
}

__attribute__((noreturn)) void __compact_se_killed(int number) {
    syscall(CALL_TGKILL, syscall(CALL_GETPID), syscall(CALL_GETTID), number);
    for (;;)
        syscall(CALL_EXIT_GROUP, 128 + number);
}

/* Where no sanitizer's library has it. */
WEAK void __ubsan_handle_builtin_unreachable(void *description) {
    (void)description;
    __builtin_trap();
}

/* --- What compact_se.h declares ------------------------------------------------------------- */

/* A program that was not prepared can be replayed by hand if it uses the header: only memory that
 * it never wrote is then not under control. Weak, because a program may have its own. */

WEAK void compact_se_make_symbolic(void *memory, size_t bytes, const char *name) {
    __compact_se_uninit(memory, bytes, name);
}
WEAK void compact_se_assume(int condition) { __compact_se_assume(condition); }
WEAK void compact_se_target(void) { __compact_se_target(); }

WEAK _Bool compact_se_bool(const char *name) { return __compact_se_input_i8(name) & 1; }
WEAK int8_t compact_se_i8(const char *name) { return (int8_t)__compact_se_input_i8(name); }
WEAK int16_t compact_se_i16(const char *name) { return (int16_t)__compact_se_input_i16(name); }
WEAK int32_t compact_se_i32(const char *name) { return (int32_t)__compact_se_input_i32(name); }
WEAK int64_t compact_se_i64(const char *name) { return (int64_t)__compact_se_input_i64(name); }
WEAK uint8_t compact_se_u8(const char *name) { return __compact_se_input_i8(name); }
WEAK uint16_t compact_se_u16(const char *name) { return __compact_se_input_i16(name); }
WEAK uint32_t compact_se_u32(const char *name) { return __compact_se_input_i32(name); }
WEAK uint64_t compact_se_u64(const char *name) { return __compact_se_input_i64(name); }
WEAK char compact_se_char(const char *name) { return (char)__compact_se_input_i8(name); }
WEAK int compact_se_int(const char *name) { return (int)__compact_se_input_i32(name); }
WEAK unsigned compact_se_uint(const char *name) { return __compact_se_input_i32(name); }

#if __SIZEOF_LONG__ == 8
WEAK long compact_se_long(const char *name) { return (long)__compact_se_input_i64(name); }
WEAK unsigned long compact_se_ulong(const char *name) { return __compact_se_input_i64(name); }
WEAK size_t compact_se_size(const char *name) { return __compact_se_input_i64(name); }
#else
WEAK long compact_se_long(const char *name) { return (long)__compact_se_input_i32(name); }
WEAK unsigned long compact_se_ulong(const char *name) { return __compact_se_input_i32(name); }
WEAK size_t compact_se_size(const char *name) { return __compact_se_input_i32(name); }
#endif

/* --- The observer --------------------------------------------------------------------------- */

#ifdef COMPACT_SE_SANITIZED
const char *__asan_locate_address(void *place, char *name, size_t name_size, void **start, size_t *bytes);
void __sanitizer_report_error_summary(const char *summary);
void __sanitizer_print_stack_trace(void);

struct object {
    uintptr_t start;
    size_t bytes;
};

/* Global variables, and what the system passes to main. */
enum { MOST_GLOBALS = 1 << 12 };
static struct object globals[MOST_GLOBALS];
static size_t n_globals;

static void add_global(const void *start, size_t bytes) {
    if (n_globals < MOST_GLOBALS)
        globals[n_globals++] = (struct object){(uintptr_t)start, bytes};
}

__attribute__((constructor)) OWN_LOOPS static void add_arguments(int argc, char **argv) {
    add_global(argv, ((size_t)argc + 1) * sizeof *argv);
    for (int i = 0; i < argc; i++) {
        size_t length = 0;
        while (argv[i][length] != '\0')
            length++;
        add_global(argv[i], length + 1);
    }
}

/* Told at the start of main, which may be called again. */
void __compact_se_global(const void *start, size_t bytes) {
    static const void *first;
    static int is_complete;
    is_complete |= first == start;
    if (first == NULL)
        first = start;
    if (!is_complete)
        add_global(start, bytes);
}

/* Variables that are no part of a frame, which AddressSanitizer does not tell: the latest has the lowest address, and
 * those below it, or below the function that runs, are no more. */
enum { MOST_VARIABLES = 1 << 10 };
static struct object variables[MOST_VARIABLES];
static size_t n_variables;

static void forget_variables_below(uintptr_t address) {
    while (n_variables > 0 && variables[n_variables - 1].start < address)
        n_variables--;
}

void __compact_se_variable(const void *start, size_t bytes) {
    forget_variables_below((uintptr_t)start + bytes);
    if (n_variables < MOST_VARIABLES)
        variables[n_variables++] = (struct object){(uintptr_t)start, bytes};
}

/* Pointers that point to no byte of their object where they are handed on: the arguments of calls that run, and
 * the latest that were stored. */
struct stray {
    uintptr_t pointer;
    struct object object;
};
enum { MOST_ARGUMENTS = 1 << 10, MOST_STORED = 1 << 6 };
static struct stray arguments[MOST_ARGUMENTS], stored[MOST_STORED];
static size_t n_arguments, n_stored;

static const struct object *object_of_stray(uintptr_t pointer) {
    for (size_t i = n_arguments; i-- > 0;)
        if (arguments[i].pointer == pointer)
            return &arguments[i].object;
    for (size_t i = n_stored; i > 0 && i + MOST_STORED > n_stored; i--)
        if (stored[(i - 1) % MOST_STORED].pointer == pointer)
            return &stored[(i - 1) % MOST_STORED].object;
    return NULL;
}

/* The object in which or behind which a pointer points: what AddressSanitizer knows of variables of
 * functions and of blocks, but for our headers. Of other memory nothing is known. */
static int find_object(uintptr_t pointer, uintptr_t *start, size_t *bytes) {
    char name[1];
    const char *kind;
    uintptr_t first;
    void *region = NULL;
    size_t size = 0;
    const struct object *of_stray = object_of_stray(pointer);
    if (of_stray != NULL) {
        *start = of_stray->start;
        *bytes = of_stray->bytes;
        return 1;
    }
    forget_variables_below((uintptr_t)__builtin_frame_address(0));
    for (size_t i = 0; i < n_variables; i++) {
        if (pointer - variables[i].start < variables[i].bytes) {
            *start = variables[i].start;
            *bytes = variables[i].bytes;
            return 1;
        }
    }
    for (size_t i = 0; i < n_globals; i++) {
        uintptr_t offset = pointer - globals[i].start;
        if (offset > globals[i].bytes || (region != NULL && offset == globals[i].bytes))
            continue;
        region = (void *)globals[i].start;
        size = globals[i].bytes;
        if (offset < size)
            break;
    }
    if (region != NULL) {
        *start = (uintptr_t)region;
        *bytes = size;
        return 1;
    }
    kind = __asan_locate_address((void *)pointer, name, sizeof name, &region, &size);
    first = (uintptr_t)region;
    if (region == NULL || size == 0)
        return 0;
    if (same(kind, "heap")) {
        /* The header stands at the block's start, or behind what its alignment takes. */
        uintptr_t at = first, step = __alignof__(struct header);
        uintptr_t last = first + (size < PAGE ? size : PAGE);
        while (at + sizeof(struct header) <= last && ((struct header *)at)->mark != at)
            at += step;
        if (at + sizeof(struct header) > last)
            return 0;
        size = ((struct header *)at)->bytes;
        first = at + sizeof(struct header);
    } else if (!same(kind, "stack") && !same(kind, "stack-fake")) {
        return 0;
    }
    *start = first;
    *bytes = size;
    return pointer >= first && pointer - first <= size;
}

/* Whether a pointer that was computed from another one points to no byte of its object, and not behind the last. */
static int is_stray(const void *base, const void *pointer, struct stray *stray) {
    stray->pointer = (uintptr_t)pointer;
    return find_object((uintptr_t)base, &stray->object.start, &stray->object.bytes) &&
           stray->pointer - stray->object.start > stray->object.bytes;
}

/* Called before a call with such an argument; gives the number to tell when it has returned. */
size_t __compact_se_pass(const void *base, const void *pointer) {
    struct stray stray;
    size_t before = n_arguments;
    if (n_arguments < MOST_ARGUMENTS && is_stray(base, pointer, &stray))
        arguments[n_arguments++] = stray;
    return before;
}
void __compact_se_returned(size_t before) { n_arguments = before; }

/* Called before such a pointer is stored. */
void __compact_se_keep(const void *base, const void *pointer) {
    struct stray stray;
    if (is_stray(base, pointer, &stray))
        stored[n_stored++ % MOST_STORED] = stray;
}

/* Called before each access, with the pointer that its address was computed from, or the address itself: both have to
 * be of the same object. */
void __compact_se_access(const char *base, const char *address, size_t bytes) {
    static uintptr_t last_start; /* the object of the last access, if it is one still */
    static size_t last_bytes;
    const int has_strays = n_arguments + n_stored > 0;
    uintptr_t start = last_start, place = (uintptr_t)address;
    size_t size = last_bytes;
    if (!has_strays && (uintptr_t)base - start <= size && place - start <= size &&
        bytes <= size - (place - start))
        return;
    if (base == address && object_of_stray(place) == NULL)
        return;
    if (bytes == 0 || !find_object((uintptr_t)base, &start, &size))
        return;
    last_start = start;
    last_bytes = size;
    if (place - start <= size && bytes <= size - (place - start))
        return;
    message_length = 0;
    say("ERROR: observer: ");
    if (place < start) {
        say_number(start - place);
        say(" bytes before");
    } else {
        say_number(place - start);
        say(" bytes after the start of");
    }
    say(" an object of ");
    say_number(size);
    say(" bytes");
    message[message_length] = '\0';
    __sanitizer_report_error_summary(message);
    __sanitizer_print_stack_trace();
    for (;;)
        syscall(CALL_EXIT_GROUP, 1);
}
#endif

#if defined(COMPACT_SE_SANITIZED) || defined(COMPACT_SE_TRACKED)
#pragma clang attribute pop
#endif

/* --- Arrays on the stack --------------------------------------------------------------------- */

/* What UndefinedBehaviorSanitizer is told of a check. */
struct place {
    const char *file;
    uint32_t line, column;
};
struct type {
    uint16_t kind, info;
    char name[8];
};
struct description {
    struct place place;
    const struct type *type;
};
void __ubsan_handle_vla_bound_not_positive_abort(struct description *, uintptr_t number) WEAK;
void __ubsan_handle_mul_overflow_abort(struct description *, uintptr_t number, uintptr_t size) WEAK;

/* No array has fewer elements than `least`, or more bytes than half of the address space. Gives the number. */
size_t __compact_se_array_size(size_t number, size_t size, size_t least, const char *file,
                               uint32_t line, uint32_t column) {
    static const struct type word = {0, sizeof(long) == 8 ? 13 : 11, "'long'"};
    struct description description = {{file, line, column}, &word};
    if (number >= least && (size == 0 || number <= (size_t)PTRDIFF_MAX / size))
        return number;
    if ((ptrdiff_t)number <= 0 && __ubsan_handle_vla_bound_not_positive_abort != NULL)
        __ubsan_handle_vla_bound_not_positive_abort(&description, number);
    if (__ubsan_handle_mul_overflow_abort != NULL)
        __ubsan_handle_mul_overflow_abort(&description, number, size);
    __builtin_trap();
}

/* --- Values that were not written ------------------------------------------------------------ */

/* Inputs in the place of what a variable holds that has no value yet. MemorySanitizer instruments these
 * functions, so that the results are what it takes for not written. */
#ifdef COMPACT_SE_TRACKED
#define UNWRITTEN(value) __msan_poison(&(value), sizeof(value))
#else
#define UNWRITTEN(value) (void)0
#endif

/* A value is used. Handing it over and returning it is no use yet: those of this file would be the first. */
#ifdef COMPACT_SE_TRACKED
void __msan_check_mem_is_initialized(const volatile void *start, size_t bytes);
void __compact_se_use(uint64_t value) { __msan_check_mem_is_initialized(&value, sizeof value); }
#else
void __compact_se_use(uint64_t value) { (void)value; }
#endif

uint8_t __compact_se_unwritten_i8(const char *name) {
    uint8_t value = __compact_se_input_i8(name);
    UNWRITTEN(value);
    return value;
}
uint16_t __compact_se_unwritten_i16(const char *name) {
    uint16_t value = __compact_se_input_i16(name);
    UNWRITTEN(value);
    return value;
}
uint32_t __compact_se_unwritten_i32(const char *name) {
    uint32_t value = __compact_se_input_i32(name);
    UNWRITTEN(value);
    return value;
}
uint64_t __compact_se_unwritten_i64(const char *name) {
    uint64_t value = __compact_se_input_i64(name);
    UNWRITTEN(value);
    return value;
}
#ifdef __SIZEOF_INT128__
unsigned __int128 __compact_se_unwritten_i128(const char *name) {
    unsigned __int128 value = __compact_se_input_i128(name);
    UNWRITTEN(value);
    return value;
}
#endif
