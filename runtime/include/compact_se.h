/* compact_se.h: declarations of symbolic inputs and targets for C programs.
 *
 *     #include "compact_se.h"
 *
 *     int main(void) {
 *         int n = compact_se_i32("n");                 // any 32-bit value
 *         char line[80];
 *         compact_se_make_symbolic(line, sizeof line, "line");   // any 80 bytes
 *         compact_se_assume(n >= 0 && n < 80);         // only such inputs count
 *         if (line[n] == '!')
 *             compact_se_target();                     // can this be reached?
 *         return 0;
 *     }
 *
 * The analyser gives these functions their meaning; linked with runtime/replay/replay.c they take
 * their values from a recorded file instead, and the program runs natively.
 *
 * Nothing here is required. Programs written for SV-COMP work without the header: the functions
 * __VERIFIER_nondet_int() and its family are inputs, __VERIFIER_assume(c) is an assumption, and a
 * call of reach_error() is a target. Memory that the program never wrote is symbolic as well.
 *
 * Every `name` is a string literal. It labels the input in witnesses and execution trees and need
 * not be unique; two calls with one name are two independent inputs, in the order of execution.
 */
#ifndef COMPACT_SE_H
#define COMPACT_SE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the `bytes` bytes at `ptr` arbitrary values, which need not be related to each other, to
 * what was there before, or to any other input. The size may itself be symbolic. All of the bytes
 * must lie within one object: anything else is reported as an invalid write of the program. */
void compact_se_make_symbolic(void *ptr, size_t bytes, const char *name);

/* Restricts the analysis to executions in which `condition` is not 0 here. An execution that
 * violates it ends silently: it is neither an error nor a path to the target. */
void compact_se_assume(int condition);

/* The location whose reachability is analysed; a default target of compact-se. Execution does not
 * continue after it. */
void compact_se_target(void);

/* Inputs of one type. Each call yields a fresh value, any value of the type. */
bool compact_se_bool(const char *name);
int8_t compact_se_i8(const char *name);
int16_t compact_se_i16(const char *name);
int32_t compact_se_i32(const char *name);
int64_t compact_se_i64(const char *name);
uint8_t compact_se_u8(const char *name);
uint16_t compact_se_u16(const char *name);
uint32_t compact_se_u32(const char *name);
uint64_t compact_se_u64(const char *name);

/* The same for the types whose width the data model decides. */
char compact_se_char(const char *name);
int compact_se_int(const char *name);
unsigned compact_se_uint(const char *name);
long compact_se_long(const char *name);
unsigned long compact_se_ulong(const char *name);
size_t compact_se_size(const char *name);

#ifdef __cplusplus
}
#endif

#endif
