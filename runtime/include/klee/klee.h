/* klee/klee.h: the header for programs written for KLEE, which compact-se compiles unchanged:
 *
 *     #include <klee/klee.h>
 *
 *     int main(void) {
 *         int x;
 *         klee_make_symbolic(&x, sizeof x, "x");
 *         klee_assume(x > 0);
 *         klee_assert(x != 7);
 *         return 0;
 *     }
 *
 * Written after KLEE's documentation, with the same meaning of functions; comments describe
 * differences that come from KLEE's way of execution. Functions that are not declared here, like
 * klee_alias_function(), are refused where they are called.
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. A part of an object may be made symbolic; KLEE requires the whole object. */
void klee_make_symbolic(void *memory, size_t bytes, const char *name);
int klee_int(const char *name);
/* In [begin, end); it is an error if there is no such number. */
int klee_range(int begin, int end, const char *name);
/* Any number below n. */
uintptr_t klee_choose(uintptr_t n);

/* Only executions in which the condition holds count. If it holds in none, KLEE reports an error; here
 * the executions end silently. */
void klee_assume(uintptr_t condition);

/* Errors: klee_report_error() is a default target, and so is a failed assertion. klee_abort() reports
 * an error. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);
__attribute__((noreturn)) void __assert_fail(const char *assertion, const char *file, unsigned line,
                                             const char *function);
__attribute__((noreturn)) void klee_abort(void);
#define klee_assert(condition)                                                                    \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

/* Ends. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Faults where one of the bytes cannot be read. */
void klee_check_memory_access(const void *memory, size_t bytes);

/* The size of the object that begins there: of a variable, or of a block of the heap. Refused where the
 * pointer is not to the start of one, which is an error for KLEE. */
size_t klee_get_obj_size(void *object);

/* 1 if the value depends on inputs on the path that leads there, else 0. Refused if several paths are
 * merged into one step, since the answer may differ between them. */
unsigned klee_is_symbolic(uintptr_t value);
/* 0: an analysis is not a replay. */
unsigned klee_is_replay(void);

/* The value itself, not a representative. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
int klee_get_errno(void);

/* Preferences, messages and hints to KLEE's search: no effect. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);
void klee_set_forking(unsigned enable);
void klee_merge(void);
void klee_open_merge(void);
void klee_close_merge(void);

#ifdef __cplusplus
}
#endif

#endif
