/* CBMC's functions, as include/cprover.h declares them. Assumptions and assertions are known to
 * prepare/externals.rs, since programs declare their parameters as they like.
 *
 * Compiled as klee.c is.
 */
typedef __SIZE_TYPE__ size_t;

void __compact_se_uninit(void *memory, size_t bytes, const char *name);

void __CPROVER_havoc_slice(void *memory, size_t bytes) {
    __compact_se_uninit(memory, bytes, "havoc_slice");
}

void __CPROVER_input(const char *name, ...) {}
void __CPROVER_output(const char *name, ...) {}
void __CPROVER_printf(const char *format, ...) {}
void __CPROVER_cover(int condition) {}
void __CPROVER_atomic_begin(void) {}
void __CPROVER_atomic_end(void) {}
