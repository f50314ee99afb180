/* Compares the models of the functions of math.h with the C library's functions, on random bits,
 * halves and their neighbours. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

void model_compact_se_set_errno_if(int condition, int number) {
    if (condition)
        errno = number;
}

/* Only what is rounded is refused. */
static jmp_buf refused;
static int is_exact = 1;
void model___compact_se_unsupported(const char *what) {
    if (is_exact)
        abort();
    longjmp(refused, 1);
}

/* The same bits, or both no number: which NaN it is, is left open. */
static int same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y); }

#define UNARY(name)                                                                               \
    {                                                                                             \
        double model_##name(double);                                                              \
        float model_##name##f(float);                                                             \
        EXPECT(same(name(x), model_##name(x)), "%a: %a and %a", x, name(x), model_##name(x));     \
        EXPECT(same(name##f(f), model_##name##f(f)), "%a: %a and %a", f, name##f(f),              \
               model_##name##f(f));                                                               \
    }
#define BINARY(name)                                                                              \
    {                                                                                             \
        double model_##name(double, double);                                                      \
        float model_##name##f(float, float);                                                      \
        EXPECT(same(name(x, y), model_##name(x, y)), "%a, %a", x, y);                             \
        EXPECT(same(name##f(f, g), model_##name##f(f, g)), "%a, %a", f, g);                       \
    }
#define TO_WORD(name, type)                                                                       \
    {                                                                                             \
        type model_##name(double), model_##name##f(float);                                        \
        EXPECT(name(x) == model_##name(x), "%a", x);                                              \
        EXPECT(name##f(f) == model_##name##f(f), "%a", f);                                        \
    }

static double random_double(void) {
    static const double edges[] = {0.0, -0.0, 0.5, -0.5, 1.0, INFINITY, -INFINITY, NAN, 5e-324,
                                   0x1p52, 0x1p53, 0x1p23, 0x1p24, 4503599627370497.5, 8388609.5};
    double value;
    uint64_t bits = random_64();
    switch (below(4)) {
    case 0:
        return PICK(edges);
    case 1:
        memcpy(&value, &bits, sizeof value);
        /* C knows no signalling NaN. */
        return value == value ? value : NAN;
    case 2:
        return (double)(int)below(200) / 4 - 20;
    default:
        value = ldexp((double)(random_64() >> (11 + below(53))), (int)below(80) - 60);
        return nextafter(below(2) ? value : -value, below(2) ? INFINITY : -INFINITY);
    }
}

static void check(double x, double y) {
    float f = (float)x, g = (float)y;
    UNARY(floor)
    UNARY(ceil)
    UNARY(trunc)
    UNARY(rint)
    UNARY(nearbyint)
    UNARY(round)
    UNARY(fabs)
    BINARY(fmin)
    BINARY(fmax)
    BINARY(copysign)
    if (fabs(x) < 0x1p62) {
        TO_WORD(lround, long)
        TO_WORD(llround, long long)
        TO_WORD(lrint, long)
        TO_WORD(llrint, long long)
    }
    BINARY(fdim)
    BINARY(nextafter)
    UNARY(logb)
    TO_WORD(ilogb, int)
    double model_roundeven(double);
    EXPECT(same(model_roundeven(x), rint(x)), "%a", x);
    errno = 7;
    double root = sqrt(x);
    int number = errno;
    errno = 7;
    UNARY(sqrt)
    double model_sqrt(double);
    errno = 7;
    EXPECT(same(model_sqrt(x), root) && errno == number, "%a: errno %d and %d", x, errno, number);
#define WITH_ERRNO(name, arguments)                                                               \
    {                                                                                             \
        errno = 7;                                                                                \
        (void)model_##name arguments;                                                             \
        int ours = errno;                                                                         \
        errno = 7;                                                                                \
        (void)name arguments;                                                                     \
        EXPECT(ours == errno, #name " %a, %a: errno %d and %d", x, y, ours, errno);                    \
    }
    double model_fdim(double, double), model_nextafter(double, double), model_logb(double);
    float model_fdimf(float, float), model_nextafterf(float, float);
    int model_ilogb(double);
    WITH_ERRNO(fdim, (x, y))
    WITH_ERRNO(fdimf, (f, g))
    WITH_ERRNO(nextafter, (x, y))
    WITH_ERRNO(nextafterf, (f, g))
    WITH_ERRNO(logb, (x))
    WITH_ERRNO(ilogb, (x))
    double model_nan(const char *);
    float model_nanf(const char *);
    EXPECT(isnan(model_nan("")) && isnan(model_nanf("")), "nan");
    double model_fmod(double, double), divisor = y;
    float model_fmodf(float, float);
    errno = 7;
    double rest = fmod(x, divisor);
    number = errno;
    errno = 7;
    EXPECT(same(model_fmod(x, divisor), rest) && errno == number, "%a, %a: errno %d and %d", x,
           divisor, number, errno);
    EXPECT(same(model_fmodf(f, g), fmodf(f, g)), "%a, %a", f, g);
    double model_remainder(double, double), model_drem(double, double);
    float model_remainderf(float, float);
    /* Quotients of a half and more, too. */
    double multiple = below(2) ? divisor * ((double)below(9) / 2) : x;
    float multiple_f = (float)multiple;
    errno = 7;
    rest = remainder(multiple, divisor);
    number = errno;
    errno = 7;
    double ours = model_remainder(multiple, divisor);
    EXPECT(errno == number, "%a, %a: errno %d and %d", multiple, divisor, number, errno);
    /* By a subnormal number glibc 2.36 gives a zero with the wrong sign; IEEE 754 demands that of the first. */
    EXPECT(same(ours, rest) || (ours == 0 && rest == 0 && !signbit(ours) == !signbit(multiple)),
           "%a, %a: %a and %a", multiple, divisor, rest, ours);
    EXPECT(same(model_drem(multiple, divisor), ours), "%a, %a", multiple, divisor);
    EXPECT(same(model_remainderf(multiple_f, g), remainderf(multiple_f, g)), "%a, %a", multiple_f, g);
    double model_fma(double, double, double), z = random_double();
    float model_fmaf(float, float, float), h = (float)z;
    EXPECT(same(model_fma(x, y, z), fma(x, y, z)), "%a, %a, %a: %a and %a", x, y, z, fma(x, y, z),
           model_fma(x, y, z));
    EXPECT(same(model_fmaf(f, g, h), fmaf(f, g, h)), "%a, %a, %a", f, g, h);
    /* The rest of a product that was rounded, and sums that almost cancel. */
    EXPECT(same(model_fma(x, y, -(x * y)), fma(x, y, -(x * y))), "%a, %a", x, y);
    EXPECT(same(model_fmaf(f, g, -(f * g)), fmaf(f, g, -(f * g))), "%a, %a", f, g);
    double model_modf(double, double *), before = modf(x, &y), model_before;
    double whole = y;
    EXPECT(same(model_modf(x, &model_before), before) && same(model_before, whole), "%a", x);
    float model_modff(float, float *), part = modff(f, &g), model_whole;
    EXPECT(same(model_modff(f, &model_whole), part) && same(model_whole, g), "%a", f);
    double model_frexp(double, int *), model_ldexp(double, int), model_scalbln(double, long);
    float model_frexpf(float, int *), model_ldexpf(float, int);
    int exponent, model_exponent, by = (int)below(2300) - 1150;
    double half = frexp(x, &exponent);
    EXPECT(same(model_frexp(x, &model_exponent), half) && exponent == model_exponent, "%a", x);
    float half_f = frexpf(f, &exponent);
    EXPECT(same(model_frexpf(f, &model_exponent), half_f) && exponent == model_exponent, "%a", f);
    errno = 7;
    double scaled = ldexp(x, by);
    number = errno;
    errno = 7;
    EXPECT(same(model_ldexp(x, by), scaled) && errno == number, "%a, %d: errno %d and %d", x, by,
           number, errno);
    EXPECT(same(model_scalbln(x, by * 1000L), scalbln(x, by * 1000L)), "%a, %d", x, by);
    EXPECT(same(model_ldexpf(f, by / 4), ldexpf(f, by / 4)), "%a, %d", f, by / 4);
    int model___signbit(double), model___signbitf(float);
    EXPECT(model___signbit(x) == !!signbit(x) && model___signbitf(f) == !!signbit(f), "%a", x);
}

static int n_exact;

/* Powers of small numbers, and the functions at the numbers where they are exact. */
static void check_exact(void) {
    double x = below(3) ? (double)(int)below(40) - 9 : ldexp((double)below(100), (int)below(60) - 40);
    double y = below(8) ? (double)(int)below(40) - 8 : below(2) ? 0.5 : 2;
    double model_pow(double, double), model_exp2(double), model_log2(double), model_sin(double);
    float model_powf(float, float);
    is_exact = 0;
    if (below(20) == 0)
        x = random_double();
    if (setjmp(refused) == 0) {
        EXPECT(same(model_pow(x, y), pow(x, y)), "%a, %a: %a", x, y, pow(x, y));
        n_exact++;
    }
    if (setjmp(refused) == 0)
        EXPECT(same(model_powf((float)x, (float)y), powf((float)x, (float)y)), "%a, %a", x, y);
    if (setjmp(refused) == 0)
        EXPECT(same(model_exp2(y), exp2(y)), "%a", y);
    if (setjmp(refused) == 0)
        EXPECT(same(model_log2(x), log2(x)), "%a", x);
#define AT(name, at)                                                                               \
    {                                                                                              \
        double model_##name(double);                                                               \
        float model_##name##f(float);                                                              \
        is_exact = 1;                                                                              \
        EXPECT(same(model_##name(at), name(at)) && same(model_##name##f(at), name##f(at)), "%a", at); \
        is_exact = 0;                                                                              \
    }
    AT(sin, -0.0) AT(cos, 0.0) AT(tan, 0.0) AT(asin, -0.0) AT(acos, 1.0) AT(atan, 0.0) AT(sinh, -0.0)
    AT(cosh, 0.0) AT(tanh, -0.0) AT(asinh, 0.0) AT(acosh, 1.0) AT(atanh, -0.0) AT(exp, 0.0) AT(expm1, -0.0)
    AT(log, 1.0) AT(log10, 1.0) AT(log1p, -0.0) AT(cbrt, -0.0) AT(erf, 0.0)
    is_exact = 1;
    double model_hypot(double, double), model_atan2(double, double);
    EXPECT(x != x || same(model_hypot(x, -0.0), hypot(x, -0.0)), "%a", x);
    EXPECT(same(model_hypot(0, y), hypot(0, y)) && same(model_atan2(-0.0, 3), atan2(-0.0, 3)), "%a", y);
}

static void check_more(double x, double y) {
    double model_nextup(double), model_nextdown(double), model_remquo(double, double, int *);
    float f = (float)x, g = (float)y, model_nextupf(float), model_remquof(float, float, int *);
    int ours, theirs;
    EXPECT(same(model_nextup(x), nextup(x)) && same(model_nextdown(x), nextdown(x)), "%a", x);
    EXPECT(same(model_nextupf(f), nextupf(f)), "%a", f);
    if (below(2))
        x = y * ((double)below(40) / 2);
    double rest = remquo(x, y, &theirs), our_rest = model_remquo(x, y, &ours);
    int has_rest = isfinite(x) && !isnan(y) && y != 0;
    EXPECT(same(rest, our_rest) || (rest == 0 && our_rest == 0), "%a, %a: %a and %a", x, y, rest, our_rest);
    EXPECT(!has_rest || ours == theirs, "%a, %a: %d and %d", x, y, theirs, ours);
    f = (float)x;
    float rest_f = remquof(f, g, &theirs), our_rest_f = model_remquof(f, g, &ours);
    has_rest = isfinite(f) && !isnan(g) && g != 0;
    EXPECT(same(rest_f, our_rest_f) || (rest_f == 0 && our_rest_f == 0), "%a, %a", f, g);
    EXPECT(!has_rest || ours == theirs, "%a, %a: %d and %d", f, g, theirs, ours);
    double complex model___muldc3(double, double, double, double), __muldc3(double, double, double, double);
    float complex model___mulsc3(float, float, float, float), __mulsc3(float, float, float, float);
    double a = random_double(), b = below(3) ? x : INFINITY;
    double complex product = __muldc3(a, b, x, y), our_product = model___muldc3(a, b, x, y);
    EXPECT(same(creal(product), creal(our_product)) && same(cimag(product), cimag(our_product)), "%a %a %a %a", a,
           b, x, y);
    float complex product_f = __mulsc3(g, f, f, g), our_product_f = model___mulsc3(g, f, f, g);
    EXPECT(same(crealf(product_f), crealf(our_product_f)) && same(cimagf(product_f), cimagf(our_product_f)), "%a %a",
           f, g);
}

int main(void) {
    for (int i = 0; i < times(50000); i++) {
        check_exact();
        check_more(random_double(), random_double());
    }
    EXPECT(n_exact > 20000, "%d", n_exact);
    for (int i = 0; i < times(100000); i++)
        check(random_double(), random_double());
    return failures != 0;
}
