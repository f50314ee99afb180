/* KLEE's functions, as include/klee/klee.h declares them. klee_int() and klee_assume() are known
 * to prepare/externals.rs.
 *
 * Compiled as string.c is, without debug information: what happens, happens where the program
 * calls.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;

void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
void __compact_se_has_size(const void *object, size_t bytes);
void __compact_se_is_symbolic(uintptr_t value, uintptr_t answer);
#if __SIZEOF_POINTER__ == 8
#define CALL_WORD __compact_se_call_i64
#else
#define CALL_WORD __compact_se_call_i32
#endif
uintptr_t CALL_WORD(const char *name, const char *callee);

_Noreturn void abort(void), _exit(int status);
int *__errno_location(void);
int klee_int(const char *name);

void klee_make_symbolic(void *memory, size_t bytes, const char *name) {
    __compact_se_uninit(memory, bytes, name);
}

/* Where it is no target. */
_Noreturn void klee_report_error(const char *file, int line, const char *message,
                                 const char *suffix) {
    abort();
}

int klee_range(int begin, int end, const char *name) {
    int value;
    if (begin >= end)
        klee_report_error(__FILE__, __LINE__, "invalid range", "user");
    value = klee_int(name);
    __compact_se_assume((value >= begin) & (value < end));
    return value;
}

uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value = CALL_WORD("klee_choose", "klee_choose");
    __compact_se_assume(value < n);
    return value;
}

/* A replay is told the size: it does not know of what the machine has no size. */
size_t klee_get_obj_size(void *object) {
    size_t bytes = CALL_WORD("klee_get_obj_size", "klee_get_obj_size");
    __compact_se_has_size(object, bytes);
    return bytes;
}

/* A replay is told the answer: natively no value is symbolic. */
unsigned klee_is_symbolic(uintptr_t value) {
    uintptr_t answer = CALL_WORD("klee_is_symbolic", "klee_is_symbolic");
    __compact_se_is_symbolic(value, answer);
    return answer;
}

_Noreturn void klee_silent_exit(int status) { _exit(status); }
_Noreturn void klee_abort(void) {
    klee_report_error(__FILE__, __LINE__, "abort failure", "abort");
}

/* The bytes between lie in the object of the first. */
void klee_check_memory_access(const void *memory, size_t bytes) {
    const volatile char *first = memory;
    if (bytes > 0) {
        (void)first[0];
        (void)first[bytes - 1];
    }
}

unsigned klee_is_replay(void) { return 0; }

float klee_get_valuef(float value) { return value; }
double klee_get_valued(double value) { return value; }
long klee_get_valuel(long value) { return value; }
long long klee_get_valuell(long long value) { return value; }
__INT32_TYPE__ klee_get_value_i32(__INT32_TYPE__ value) { return value; }
__INT64_TYPE__ klee_get_value_i64(__INT64_TYPE__ value) { return value; }
int klee_get_errno(void) { return *__errno_location(); }

void klee_prefer_cex(void *object, uintptr_t condition) {}
void klee_posix_prefer_cex(void *object, uintptr_t condition) {}
void klee_mark_global(void *object) {}
void klee_warning(const char *message) {}
void klee_warning_once(const char *message) {}
void klee_print_expr(const char *message, ...) {}
void klee_print_range(const char *name, int value) {}
void klee_stack_trace(void) {}
void klee_set_forking(unsigned enable) {}
void klee_merge(void) {}
void klee_open_merge(void) {}
void klee_close_merge(void) {}
