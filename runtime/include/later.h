/* Functions that a C library declares from some version on: the models have them whatever the version of the
 * machine's is. A program that calls one without a declaration is compiled with this header before it.
 */
#ifndef COMPACT_SE_LATER_H
#define COMPACT_SE_LATER_H

#ifdef __cplusplus
extern "C" {
#endif

/* <string.h>, glibc 2.38. */
__SIZE_TYPE__ strlcpy(char *__restrict to, const char *__restrict from, __SIZE_TYPE__ bytes);
__SIZE_TYPE__ strlcat(char *__restrict to, const char *__restrict from, __SIZE_TYPE__ bytes);

#ifdef __cplusplus
}
#endif
#endif
