/* Functions of CBMC that its C front end knows without a declaration. A program that uses one of them
 * undeclared is compiled with this header before it.
 *
 * Written after CBMC's documentation. Other functions are refused: by the compiler if they are not C
 * (__CPROVER_forall), otherwise where they are called.
 */
#ifndef COMPACT_SE_CPROVER_H
#define COMPACT_SE_CPROVER_H

#ifdef __cplusplus
extern "C" {
#define _Bool bool
#endif
typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

void __CPROVER_assume(_Bool condition);
/* The execution ends where the assertion fails. */
void __CPROVER_assert(_Bool condition, const char *description);
void __CPROVER_precondition(_Bool condition, const char *description);
void __CPROVER_postcondition(_Bool condition, const char *description);
/* Arbitrary content. */
void __CPROVER_havoc_slice(void *memory, __SIZE_TYPE__ bytes);
/* Arbitrary content of the whole variable or block. Refused if the pointer does not point to its
 * start. */
void __CPROVER_havoc_object(void *object);

/* Nothing happens. */
void __CPROVER_input(const char *name, ...);
void __CPROVER_output(const char *name, ...);
void __CPROVER_printf(const char *format, ...);
void __CPROVER_cover(_Bool condition);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

/* Inputs. */
_Bool nondet_bool(void), nondet__Bool(void);
char nondet_char(void);
signed char nondet_schar(void);
unsigned char nondet_uchar(void), nondet_unsigned_char(void);
short nondet_short(void);
unsigned short nondet_ushort(void), nondet_unsigned_short(void);
int nondet_int(void);
unsigned nondet_uint(void), nondet_unsigned(void), nondet_unsigned_int(void);
long nondet_long(void);
unsigned long nondet_ulong(void), nondet_unsigned_long(void);
long long nondet_longlong(void), nondet_long_long(void);
unsigned long long nondet_ulonglong(void), nondet_unsigned_long_long(void);
__SIZE_TYPE__ nondet_size_t(void);
__INT8_TYPE__ nondet_int8_t(void);
__INT16_TYPE__ nondet_int16_t(void);
__INT32_TYPE__ nondet_int32_t(void);
__INT64_TYPE__ nondet_int64_t(void);
__UINT8_TYPE__ nondet_uint8_t(void);
__UINT16_TYPE__ nondet_uint16_t(void);
__UINT32_TYPE__ nondet_uint32_t(void);
__UINT64_TYPE__ nondet_uint64_t(void);
float nondet_float(void);
double nondet_double(void);
void *nondet_pointer(void);

#ifdef __cplusplus
#undef _Bool
}
#endif
#endif
