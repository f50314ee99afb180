/* CBMC's functions, as include/cprover.h declares them. Assumptions and assertions are known to
 * prepare/externals.rs, since programs declare their parameters as they like.
 *
 * Compiled as klee.c is.
 */
typedef __SIZE_TYPE__ size_t;

void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_has_size(const void *object, size_t bytes);
#if __SIZEOF_POINTER__ == 8
#define CALL_WORD __compact_se_call_i64
#else
#define CALL_WORD __compact_se_call_i32
#endif
size_t CALL_WORD(const char *name, const char *callee);

void __CPROVER_havoc_slice(void *memory, size_t bytes) {
    __compact_se_uninit(memory, bytes, "havoc_slice");
}

/* A replay is told the size: it does not know of what the machine has no size. */
void __CPROVER_havoc_object(void *object) {
    size_t bytes = CALL_WORD("__CPROVER_havoc_object", "__CPROVER_havoc_object");
    __compact_se_has_size(object, bytes);
    __compact_se_uninit(object, bytes, "havoc_object");
}

void __CPROVER_input(const char *name, ...) {}
void __CPROVER_output(const char *name, ...) {}
void __CPROVER_printf(const char *format, ...) {}
void __CPROVER_cover(int condition) {}
void __CPROVER_atomic_begin(void) {}
void __CPROVER_atomic_end(void) {}
