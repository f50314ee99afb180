/* What random programs are written in. Each operation that can go wrong is a macro: for the analysis
 * the plain operation of C, and with TRUTH defined the same operation with a check before it.
 *
 * Outcomes: T target, U undefined behaviour, X the machine traps, E the program ends, L too long.
 */
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;

unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
void abort(void);
void *calloc(u64 count, u64 bytes);
void free(void *block);
void *memmove(void *to, const void *from, u64 bytes);
void *memset(void *to, int byte, u64 bytes);

#ifndef TRUTH

#define GLOBAL static
#define DIV(T, x, y) ((T)(x) / (T)(y))
#define REM(T, x, y) ((T)(x) % (T)(y))
#define SHL(T, x, n) ((T)(x) << (n))
#define SHR(T, x, n) ((T)(x) >> (n))
#define AT(array, n, i) ((array)[i])
#define DEREF(p) (*(p))
#define WALK(p, array, n) (*(p))
#define TRUNC(x) ((i32)(x))
#define CTZ(x) ((u32)__builtin_ctz(x))
#define CLZ(x) ((u32)__builtin_clz(x))
#define TICK
#define LIVE(block)
#define FREE(block) free(block)
#define HEAP(T, block, n) T *block = calloc(n, sizeof(T))
#define COPY(to, n, i, from, m, j, size)                                                           \
    memmove((to) + (i), (from) + (j), (size) * sizeof *(to))
#define FILL(to, n, i, byte, size) memset((to) + (i), (int)(byte), (size) * sizeof *(to))

#else

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf start;
static u32 ticks;
_Noreturn static void end(int outcome) { longjmp(start, outcome); }

/* Globals live side by side, so that they can be set back. */
#define GLOBAL __attribute__((section("globals"), used)) static
#define SMALLEST(T) ((T)((u64)1 << (sizeof(T) * 8 - 1)))
#define OVERFLOWS(T, x, y) ((T)-1 < 0 && sizeof(T) >= 4 && (y) == (T)-1 && (x) == SMALLEST(T))
#define DIVISION(T, x, y, op)                                                                      \
    ({                                                                                             \
        T x_ = (T)(x), y_ = (T)(y);                                                                \
        if (y_ == 0 || OVERFLOWS(T, x_, y_))                                                       \
            end('X');                                                                              \
        x_ op y_;                                                                                  \
    })
#define SHIFT(T, x, n, op)                                                                         \
    ({                                                                                             \
        T x_ = (T)(x);                                                                             \
        i64 n_ = (i64)(n);                                                                         \
        if (n_ < 0 || n_ >= (i64)sizeof(T) * 8)                                                    \
            end('U');                                                                              \
        x_ op n_;                                                                                  \
    })
#define DIV(T, x, y) DIVISION(T, x, y, /)
#define REM(T, x, y) DIVISION(T, x, y, %)
#define SHL(T, x, n) SHIFT(T, x, n, <<)
#define SHR(T, x, n) SHIFT(T, x, n, >>)
#define AT(array, n, i)                                                                            \
    ((array)[({                                                                                    \
        i64 i_ = (i64)(i);                                                                         \
        if (i_ < 0 || i_ >= (n))                                                                   \
            end('U');                                                                              \
        i_;                                                                                        \
    })])
#define DEREF(p)                                                                                   \
    (*({                                                                                           \
        __typeof__(p) p_ = (p);                                                                    \
        if (p_ == 0)                                                                               \
            end('X');                                                                              \
        p_;                                                                                        \
    }))
#define WALK(p, array, n)                                                                          \
    (*({                                                                                           \
        __typeof__(p) p_ = (p);                                                                    \
        if (p_ < (array) || p_ >= (array) + (n))                                                   \
            end('U');                                                                              \
        p_;                                                                                        \
    }))
#define TRUNC(x)                                                                                   \
    ({                                                                                             \
        double x_ = (x);                                                                           \
        if (!(x_ > -2147483649.0 && x_ < 2147483648.0))                                            \
            end('U');                                                                              \
        (i32) x_;                                                                                  \
    })
#define COUNT(x, how)                                                                              \
    ({                                                                                             \
        u32 x_ = (u32)(x);                                                                         \
        if (x_ == 0)                                                                               \
            end('U');                                                                              \
        (u32) how(x_);                                                                             \
    })
#define CTZ(x) COUNT(x, __builtin_ctz)
#define CLZ(x) COUNT(x, __builtin_clz)
#define TICK                                                                                       \
    if (++ticks > 20000)                                                                           \
        end('L');

/* A block is a place of its own; whether it was freed stands beside it. */
#define HEAP(T, block, n)                                                                          \
    T block##_at[n] = {0};                                                                         \
    T *block = block##_at;                                                                         \
    int block##_freed = 0
#define LIVE(block)                                                                                \
    if (block##_freed)                                                                             \
        end('U');
#define FREE(block)                                                                                \
    if (block##_freed++)                                                                           \
    end('U')

/* Parts of arrays, all of which has to be there. Operands are evaluated from left to right, as clang
 * does with arguments. */
#define INSIDE(n, i, size)                                                                         \
    if ((i) > (n) || (size) > (n) - (i))                                                           \
    end('U')
#define COPY(to, n, i, from, m, j, size)                                                           \
    ({                                                                                             \
        u64 at_ = (i), all_ = (size);                                                              \
        INSIDE((u64)(n), at_, all_);                                                               \
        INSIDE((u64)(m), (u64)(j), all_);                                                          \
        memmove((to) + at_, (from) + (j), all_ * sizeof *(to));                                    \
    })
#define FILL(to, n, i, byte, size)                                                                 \
    ({                                                                                             \
        u64 at_ = (i);                                                                             \
        int byte_ = (int)(byte);                                                                   \
        u64 all_ = (size);                                                                         \
        INSIDE((u64)(n), at_, all_);                                                               \
        memset((to) + at_, byte_, all_ * sizeof *(to));                                            \
    })

static u8 inputs[2];
static int n_asked;

#define __VERIFIER_nondet_uchar() (inputs[n_asked++])
#define reach_error() end('T')
#define abort() end('E')
int program(void);

extern char __start_globals[], __stop_globals[];
/* The section is never empty. */
GLOBAL u32 one_global = 1;

int main(void) {
    static u32 counts[128];
    static int inputs_of[128] = {0};
    static char saved[1 << 16];
    static volatile int input;
    u64 n_bytes = (u64)(__stop_globals - __start_globals);
    memcpy(saved, __start_globals, n_bytes);
    for (input = 0; input < 65536; input++) {
        int outcome;
        memcpy(__start_globals, saved, n_bytes);
        inputs[0] = (u8)(input >> 8);
        inputs[1] = (u8)input;
        n_asked = 0;
        ticks = 0;
        outcome = setjmp(start);
        if (outcome == 0) {
            program();
            outcome = 'E';
        }
        inputs_of[outcome] = input;
        counts[outcome]++;
        if (outcome == 'L')
            break;
    }
    for (int outcome = 'A'; outcome <= 'Z'; outcome++)
        if (counts[outcome] != 0)
            printf("%c %u %d %d\n", outcome, counts[outcome], inputs_of[outcome] >> 8,
                   inputs_of[outcome] & 255);
    return 0;
}

#define main program

#endif
