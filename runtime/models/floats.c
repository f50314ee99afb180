/* Models of the classification of floats, of the rounding mode, and of the functions of math.h that
 * IEEE 754 defines to the last bit. Of others, as pow and sin, C leaves the rounding open: they have a result
 * where it is exact, and else end the path.
 *
 * Compiled and linked as string.c is. Results are those of the GNU C library, also where C asks
 * for "not 0" only. Nothing changes the rounding mode, and nothing shows which exceptions were raised:
 * what would is refused. What is computed with bits needs no theory of floats to be decided.
 */
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

enum { EDOM = 33, ERANGE = 34 };

void compact_se_set_errno_if(int condition, int number);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }

#define INFINITE(x) (((x) == __builtin_inf()) - ((x) == -__builtin_inf()))
#define FINITE(x) (((x) - (x)) == 0)

int isinf(double x) { return INFINITE(x); }
int isinff(float x) { return INFINITE(x); }
int __isinf(double x) { return INFINITE(x); }
int __isinff(float x) { return INFINITE(x); }
int finite(double x) { return FINITE(x); }
int finitef(float x) { return FINITE(x); }
int __finite(double x) { return FINITE(x); }
int __finitef(float x) { return FINITE(x); }

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL are 0 to 4. */
int __fpclassify(double x) {
    double size = __builtin_fabs(x);
    return (x == x) + (size < __builtin_inf()) + (0 < size && size < __builtin_inf()) +
           (__DBL_MIN__ <= size && size < __builtin_inf());
}
int __fpclassifyf(float x) {
    float size = __builtin_fabsf(x);
    return (x == x) + (size < __builtin_inff()) + (0 < size && size < __builtin_inff()) +
           (__FLT_MIN__ <= size && size < __builtin_inff());
}

/* To the nearest; of x86, two bits name the mode. */
enum { TO_NEAREST = 0, ROUNDING_BITS = 0xc00 };
int fegetround(void) { return TO_NEAREST; }
int fesetround(int mode) {
    if ((mode & ~ROUNDING_BITS) != 0)
        return 1;
    if (mode != TO_NEAREST)
        __compact_se_unsupported("fesetround for a mode other than FE_TONEAREST");
    return 0;
}

int feclearexcept(int exceptions) {
    (void)exceptions;
    return 0;
}
int feraiseexcept(int exceptions) {
    (void)exceptions;
    return 0;
}
int fegetexcept(void) { return 0; }

/* --- Bits ----------------------------------------------------------------------------------- */

static uint64_t bits_of_double(double value) {
    union {
        double value;
        uint64_t bits;
    } both = {value};
    return both.bits;
}

static uint64_t bits_of_float(float value) {
    union {
        float value;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

static double double_of_bits(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } both = {bits};
    return both.value;
}

static float float_of_bits(uint64_t bits) {
    union {
        uint32_t bits;
        float value;
    } both = {(uint32_t)bits};
    return both.value;
}

int __signbit(double x) { return (bits_of_double(x) >> 63) != 0; }
int __signbitf(float x) { return (bits_of_float(x) >> 31) != 0; }

/* --- To integers ---------------------------------------------------------------------------- */

enum rounding { TOWARDS_ZERO, DOWN, UP, TO_EVEN, AWAY_FROM_ZERO };

/* The bits of the integer that a float is rounded to, with its sign. The format has `n` bits behind
 * the point of a significand. What is beyond all fractions, infinite or no number stays as it is. */
static uint64_t integer(uint64_t bits, int n, int bias, enum rounding rounding) {
    const uint64_t one = (uint64_t)bias << n, half = (uint64_t)(bias - 1) << n;
    const uint64_t sign_bit = (one + ((uint64_t)1 << n)) << 1;
    uint64_t sign = bits & sign_bit, size = bits & (sign_bit - 1), fraction, more = 0;
    int exponent = (int)(size >> n) - bias;
    if (exponent >= n)
        return bits;
    if (exponent < 0) {
        int is_one = rounding == DOWN             ? (sign != 0) & (size != 0)
                     : rounding == UP             ? (sign == 0) & (size != 0)
                     : rounding == TO_EVEN        ? size > half
                     : rounding == AWAY_FROM_ZERO ? size >= half
                                                  : 0;
        return sign | (one & -(uint64_t)is_one);
    }
    fraction = (((uint64_t)1 << n) - 1) >> exponent;
    if (rounding == DOWN)
        more = fraction & -(uint64_t)(sign != 0);
    else if (rounding == UP)
        more = fraction & -(uint64_t)(sign == 0);
    else if (rounding == TO_EVEN) /* The lowest bit of the integer 1 is that of the exponent. */
        more = (fraction >> 1) + ((bits & (fraction + 1)) != 0);
    else if (rounding == AWAY_FROM_ZERO)
        more = (fraction >> 1) + 1;
    return sign | ((size + more) & ~fraction);
}

#define DOUBLE_INTEGER(name, rounding)                                                             \
    double name(double x) {                                                                        \
        return double_of_bits(integer(bits_of_double(x), 52, 1023, rounding));                     \
    }
#define FLOAT_INTEGER(name, rounding)                                                              \
    float name(float x) { return float_of_bits(integer(bits_of_float(x), 23, 127, rounding)); }

DOUBLE_INTEGER(trunc, TOWARDS_ZERO)
FLOAT_INTEGER(truncf, TOWARDS_ZERO)
DOUBLE_INTEGER(floor, DOWN)
FLOAT_INTEGER(floorf, DOWN)
DOUBLE_INTEGER(ceil, UP)
FLOAT_INTEGER(ceilf, UP)
DOUBLE_INTEGER(rint, TO_EVEN)
FLOAT_INTEGER(rintf, TO_EVEN)
DOUBLE_INTEGER(nearbyint, TO_EVEN)
FLOAT_INTEGER(nearbyintf, TO_EVEN)
DOUBLE_INTEGER(roundeven, TO_EVEN)
FLOAT_INTEGER(roundevenf, TO_EVEN)
DOUBLE_INTEGER(round, AWAY_FROM_ZERO)
FLOAT_INTEGER(roundf, AWAY_FROM_ZERO)

/* What does not fit is undefined, as a conversion is. */
#define TO_WORD(name, result, type, n, bias, rounding)                                             \
    result name(type x) {                                                                          \
        return (result)type##_of_bits(integer(bits_of_##type(x), n, bias, rounding));              \
    }

TO_WORD(lround, long, double, 52, 1023, AWAY_FROM_ZERO)
TO_WORD(lroundf, long, float, 23, 127, AWAY_FROM_ZERO)
TO_WORD(llround, long long, double, 52, 1023, AWAY_FROM_ZERO)
TO_WORD(llroundf, long long, float, 23, 127, AWAY_FROM_ZERO)
TO_WORD(lrint, long, double, 52, 1023, TO_EVEN)
TO_WORD(lrintf, long, float, 23, 127, TO_EVEN)
TO_WORD(llrint, long long, double, 52, 1023, TO_EVEN)
TO_WORD(llrintf, long long, float, 23, 127, TO_EVEN)

/* --- Other operations ----------------------------------------------------------------------- */

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

/* A NaN is no number to compare with; of two zeros it is the second. */
double fmin(double x, double y) { return y != y || x < y ? x : y; }
float fminf(float x, float y) { return y != y || x < y ? x : y; }
double fmax(double x, double y) { return y != y || x > y ? x : y; }
float fmaxf(float x, float y) { return y != y || x > y ? x : y; }

/* The same where the compiler has it done by instructions, of calls by name: of two zeros it is the first,
 * and of two NaNs the second. */
#define CHOICE(x, op, y) ((x)op(y) || ((y) != (y) && (x) == (x)) ? (x) : (y))

double compact_se_fmin(double x, double y) { return CHOICE(x, <=, y); }
float compact_se_fminf(float x, float y) { return CHOICE(x, <=, y); }
double compact_se_fmax(double x, double y) { return CHOICE(x, >=, y); }
float compact_se_fmaxf(float x, float y) { return CHOICE(x, >=, y); }

double sqrt(double x) {
    compact_se_set_errno_if(x < 0, EDOM);
    return __builtin_elementwise_sqrt(x);
}
float sqrtf(float x) {
    compact_se_set_errno_if(x < 0, EDOM);
    return __builtin_elementwise_sqrt(x);
}

/* What is behind the point, with the sign; what is before goes elsewhere. */
double modf(double x, double *before) {
    double integral = double_of_bits(integer(bits_of_double(x), 52, 1023, TOWARDS_ZERO));
    *before = integral;
    return __builtin_copysign(INFINITE(x) ? 0 : x - integral, x);
}
float modff(float x, float *before) {
    float integral = float_of_bits(integer(bits_of_float(x), 23, 127, TOWARDS_ZERO));
    *before = integral;
    return __builtin_copysignf(INFINITE(x) ? 0 : x - integral, x);
}

/* --- Exponents and remainders ---------------------------------------------------------------- */

/* The significand of a size, with its first bit at `n`, and its exponent, of which 0 and less stand for
 * sizes below the normal ones. The size is neither 0 nor infinite. */
static uint64_t significand(uint64_t size, int n, int *exponent) {
    const uint64_t one = (uint64_t)1 << n;
    int shift;
    if (size >= one) {
        *exponent = (int)(size >> n);
        return (size & (one - 1)) | one;
    }
    shift = __builtin_clzll(size) - (63 - n);
    *exponent = 1 - shift;
    return size << shift;
}

/* The size with this significand and exponent, to the nearest, of two the even one. */
static uint64_t size_of(uint64_t significand, int exponent, int n, int bias) {
    const uint64_t one = (uint64_t)1 << n;
    uint64_t rest, half, size;
    if (exponent > 2 * bias)
        return (uint64_t)(2 * bias + 1) << n;
    if (exponent > 0)
        return (uint64_t)exponent << n | (significand & (one - 1));
    if (exponent <= -n - 1)
        return 0;
    half = (uint64_t)1 << -exponent;
    rest = significand & (2 * half - 1);
    size = significand >> (1 - exponent);
    return size + ((rest > half) | ((rest == half) & (size & 1)));
}

/* Between a half and one. */
static uint64_t fraction(uint64_t bits, int n, int bias, int *exponent) {
    const uint64_t sign_bit = (uint64_t)(2 * bias + 2) << n;
    uint64_t size = bits & (sign_bit - 1);
    *exponent = 0;
    if (size == 0 || size >= (uint64_t)(2 * bias + 1) << n)
        return bits;
    size = significand(size, n, exponent);
    *exponent -= bias - 1;
    return (bits & sign_bit) | size_of(size, bias - 1, n, bias);
}

static uint64_t scaled(uint64_t bits, int n, int bias, long by) {
    const uint64_t sign_bit = (uint64_t)(2 * bias + 2) << n;
    uint64_t size = bits & (sign_bit - 1), result;
    int exponent;
    if (size == 0 || size >= (uint64_t)(2 * bias + 1) << n)
        return bits;
    size = significand(size, n, &exponent);
    /* Beyond all exponents, in both directions. */
    by = by > 4 * bias ? 4 * bias : by < -4 * bias ? -4 * bias : by;
    result = size_of(size, exponent + (int)by, n, bias);
    compact_se_set_errno_if((result == 0) | (result == (uint64_t)(2 * bias + 1) << n), ERANGE);
    return (bits & sign_bit) | result;
}

/* The remainder of sizes that are neither infinite nor, the second, 0: exact. */
static uint64_t remainder_of(uint64_t x, uint64_t y, int n) {
    const uint64_t one = (uint64_t)1 << n;
    uint64_t rest, divisor;
    int distance, exponent, shift;
    if (x < y)
        return x;
    rest = significand(x, n, &distance);
    divisor = significand(y, n, &exponent);
    rest %= divisor;
    for (distance -= exponent; distance > 0; distance -= shift) {
        shift = distance < 63 - n ? distance : 63 - n;
        rest = (rest << shift) % divisor;
    }
    if (rest == 0)
        return 0;
    shift = __builtin_clzll(rest) - (63 - n);
    if (exponent > shift)
        return (uint64_t)(exponent - shift) << n | ((rest << shift) & (one - 1));
    return exponent > 0 ? rest << (exponent - 1) : rest >> (1 - exponent);
}

static uint64_t twice(uint64_t size, int n) {
    return size >> n != 0 ? size + ((uint64_t)1 << n) : size << 1;
}

#define FRACTION(name, type, n, bias)                                                              \
    type name(type x, int *exponent) {                                                             \
        return type##_of_bits(fraction(bits_of_##type(x), n, bias, exponent));                     \
    }
#define SCALED(name, type, word, n, bias)                                                          \
    type name(type x, word by) { return type##_of_bits(scaled(bits_of_##type(x), n, bias, by)); }
/* The sign of x and the sizes of x and y as a and b, where x / y leaves a rest. */
#define REMAINDER_PARTS(type, n, bias)                                                             \
    const uint64_t sign_bit = (uint64_t)(2 * bias + 2) << n;                                       \
    const uint64_t infinite = (uint64_t)(2 * bias + 1) << n;                                       \
    uint64_t a = bits_of_##type(x), b = bits_of_##type(y) & (sign_bit - 1);                        \
    uint64_t sign = a & sign_bit;                                                                  \
    a &= sign_bit - 1;                                                                             \
    if (a >= infinite || b > infinite || b == 0) {                                                 \
        compact_se_set_errno_if(a <= infinite && b <= infinite, EDOM);                             \
        return type##_of_bits(infinite | infinite >> 1);                                           \
    }
#define REMAINDER(name, type, n, bias)                                                             \
    type name(type x, type y) {                                                                    \
        REMAINDER_PARTS(type, n, bias)                                                             \
        return type##_of_bits(sign | (b == infinite ? a : remainder_of(a, b, n)));                 \
    }
/* x - n * y for the whole number n next to x / y, the even one of two: exact. */
#define NEAREST_REMAINDER(name, type, n, bias)                                                     \
    type name(type x, type y) {                                                                    \
        REMAINDER_PARTS(type, n, bias)                                                             \
        if (b != infinite) {                                                                       \
            type rest, divisor = type##_of_bits(b);                                                \
            if (twice(b, n) < infinite)                                                            \
                a = remainder_of(a, twice(b, n), n);                                               \
            /* Less than 2 * y; the differences are exact. */                                      \
            rest = type##_of_bits(a);                                                              \
            if (twice(a, n) > b) {                                                                 \
                rest -= divisor;                                                                   \
                if (rest >= 0 && twice(bits_of_##type(rest), n) >= b)                              \
                    rest -= divisor;                                                               \
            }                                                                                      \
            a = bits_of_##type(rest);                                                              \
        }                                                                                          \
        return type##_of_bits(a ^ sign);                                                           \
    }

/* As in glibc the quotient is that of x and 8 * y, which is exact, and then up to 8 more. */
#define QUOTIENT_REMAINDER(name, type, n, bias)                                                    \
    type name(type x, type y, int *quotient) {                                                     \
        REMAINDER_PARTS(type, n, bias)                                                             \
        uint64_t is_negative = (bits_of_##type(x) ^ bits_of_##type(y)) & sign_bit;                 \
        int times = 0;                                                                             \
        if (b != infinite) {                                                                       \
            type rest, divisor = type##_of_bits(b);                                                \
            uint64_t two = twice(b, n), four, eight;                                               \
            four = two < infinite ? twice(two, n) : infinite;                                      \
            eight = four < infinite ? twice(four, n) : infinite;                                   \
            if (eight < infinite)                                                                  \
                a = remainder_of(a, eight, n);                                                     \
            rest = type##_of_bits(a);                                                              \
            if (four < infinite && a >= four) {                                                    \
                rest -= 4 * divisor;                                                               \
                times += 4;                                                                        \
            }                                                                                      \
            if (two < infinite && bits_of_##type(rest) >= two) {                                   \
                rest -= 2 * divisor;                                                               \
                times += 2;                                                                        \
            }                                                                                      \
            if (twice(bits_of_##type(rest), n) > b) {                                              \
                rest -= divisor;                                                                   \
                times++;                                                                           \
                if (rest >= 0 && twice(bits_of_##type(rest), n) >= b) {                            \
                    rest -= divisor;                                                               \
                    times++;                                                                       \
                }                                                                                  \
            }                                                                                      \
            a = bits_of_##type(rest);                                                              \
        }                                                                                          \
        *quotient = is_negative ? -times : times;                                                  \
        return type##_of_bits(a ^ sign);                                                           \
    }

FRACTION(frexp, double, 52, 1023)
FRACTION(frexpf, float, 23, 127)
SCALED(ldexp, double, int, 52, 1023)
SCALED(ldexpf, float, int, 23, 127)
SCALED(scalbn, double, int, 52, 1023)
SCALED(scalbnf, float, int, 23, 127)
SCALED(scalbln, double, long, 52, 1023)
SCALED(scalblnf, float, long, 23, 127)
REMAINDER(fmod, double, 52, 1023)
REMAINDER(fmodf, float, 23, 127)
NEAREST_REMAINDER(remainder, double, 52, 1023)
NEAREST_REMAINDER(remainderf, float, 23, 127)
NEAREST_REMAINDER(drem, double, 52, 1023)
NEAREST_REMAINDER(dremf, float, 23, 127)
QUOTIENT_REMAINDER(remquo, double, 52, 1023)
QUOTIENT_REMAINDER(remquof, float, 23, 127)

/* --- x * y + z, rounded once ---------------------------------------------------------------- */

typedef unsigned _BitInt(128) wide;

/* A number that is not zero: its first bit is bit 125 of the significand, the lowest stands for 2 to
 * the exponent. */
struct exact {
    wide significand;
    int exponent;
};

static int bits_in(wide value) {
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

static struct exact normal(wide significand, int exponent) {
    int by = 126 - bits_in(significand);
    struct exact result = {significand << by, exponent - by};
    return result;
}

/* The significand of a finite double as an integer, and the exponent of its lowest bit. */
static uint64_t significand_of(uint64_t bits, int *exponent) {
    uint64_t biased = bits >> 52 & 0x7ff, fraction = bits & (((uint64_t)1 << 52) - 1);
    *exponent = (int)(biased != 0 ? biased : 1) - 1075;
    return biased != 0 ? fraction | (uint64_t)1 << 52 : fraction;
}

/* To the nearest, to the even one of two. */
static double rounded(uint64_t sign, wide significand, int exponent) {
    int n = bits_in(significand);
    /* The exponent of the first bit, and how many bits the result has from there on. */
    int first = exponent + n - 1, kept = first >= -1022 ? 53 : first + 1075;
    uint64_t bits;
    wide rest, half;
    if (first > 1023)
        return double_of_bits(sign | (uint64_t)0x7ff << 52);
    if (kept < 0)
        return double_of_bits(sign);
    if (kept >= n) {
        bits = (uint64_t)significand << (kept - n);
    } else {
        bits = (uint64_t)(significand >> (n - kept));
        rest = significand - ((wide)bits << (n - kept));
        half = (wide)1 << (n - kept - 1);
        bits += rest > half || (rest == half && (bits & 1) != 0);
    }
    /* A carry goes into the exponent, and from the largest to infinity. */
    if (first >= -1022)
        bits += (uint64_t)(first + 1022) << 52;
    return double_of_bits(sign | bits);
}

double fma(double x, double y, double z) {
    const uint64_t sign_bit = (uint64_t)1 << 63;
    uint64_t x_bits = bits_of_double(x), y_bits = bits_of_double(y), z_bits = bits_of_double(z);
    uint64_t sign = (x_bits ^ y_bits) & sign_bit, z_sign = z_bits & sign_bit;
    int x_exponent, y_exponent, z_exponent, by;
    struct exact product, addend;
    wide sum;
    if (!FINITE(x) || !FINITE(y) || x == 0 || y == 0)
        return x * y + z;
    if (!FINITE(z))
        return z + z;
    if (z == 0)
        return x * y;
    product.significand = (wide)significand_of(x_bits, &x_exponent);
    product.significand *= significand_of(y_bits, &y_exponent);
    product = normal(product.significand, x_exponent + y_exponent);
    addend.significand = significand_of(z_bits, &z_exponent);
    addend = normal(addend.significand, z_exponent);
    if (product.exponent < addend.exponent ||
        (product.exponent == addend.exponent && product.significand < addend.significand)) {
        struct exact larger = addend;
        uint64_t its_sign = z_sign;
        addend = product;
        product = larger;
        z_sign = sign;
        sign = its_sign;
    }
    /* The smaller one with the exponent of the larger; whether bits were lost is its lowest bit. */
    by = product.exponent - addend.exponent;
    if (by > 127)
        by = 127;
    sum = addend.significand >> by;
    sum |= sum << by != addend.significand;
    sum = sign == z_sign ? product.significand + sum : product.significand - sum;
    return sum == 0 ? 0.0 : rounded(sign, sum, product.exponent);
}

/* In double the product is exact, and the sum is rounded to odd: to the one of the two doubles around it
 * whose lowest bit is set. That loses nothing for the second rounding. */
float fmaf(float x, float y, float z) {
    double product = (double)x * y, sum = product + z;
    double of_z = sum - product, error = (product - (sum - of_z)) + (z - of_z);
    uint64_t bits = bits_of_double(sum);
    if (FINITE(sum) && error != 0 && (bits & 1) == 0)
        bits += (error > 0) == (sum > 0) ? 1 : -(uint64_t)1;
    return (float)double_of_bits(bits);
}

/* --- Neighbours and exponents --------------------------------------------------------------- */

double nan(const char *payload) {
    if (*payload != '\0')
        __compact_se_unsupported("nan with a payload");
    return __builtin_nan("");
}
float nanf(const char *payload) {
    if (*payload != '\0')
        __compact_se_unsupported("nanf with a payload");
    return __builtin_nanf("");
}

#define DIFFERENCE(name, type, infinity)                                                           \
    type name(type x, type y) {                                                                    \
        type result = x <= y ? 0 : x - y;                                                          \
        compact_se_set_errno_if((result == infinity) & (x != infinity) & (y != -infinity), ERANGE); \
        return result;                                                                             \
    }
DIFFERENCE(fdim, double, __builtin_inf())
DIFFERENCE(fdimf, float, __builtin_inff())

/* The bits of a positive float are in the order of the floats. */
#define NEXT(name, type, word, half, bits_of, of_bits, least, infinity)                            \
    type name(type x, type y) {                                                                    \
        word bits = (word)bits_of(x), sign = bits & half, size = bits & ~half;                     \
        type next;                                                                                 \
        if (x != x || y != y)                                                                      \
            return x + y;                                                                          \
        if (x == y)                                                                                \
            return y;                                                                              \
        if (x == 0)                                                                                \
            next = of_bits(1 | (y < 0 ? half : 0));                                                \
        else                                                                                       \
            next = of_bits(sign | ((x < y) == (x > 0) ? size + 1 : size - 1));                      \
        compact_se_set_errno_if((next == infinity) | (next == -infinity) |                         \
                                    ((next < least) & (next > -least) & (x != 0)),                 \
                                ERANGE);                                                           \
        return next;                                                                               \
    }
NEXT(nextafter, double, uint64_t, ((uint64_t)1 << 63), bits_of_double, double_of_bits, __DBL_MIN__, __builtin_inf())
NEXT(nextafterf, float, uint32_t, ((uint32_t)1 << 31), bits_of_float, float_of_bits, __FLT_MIN__, __builtin_inff())

/* The exponent of the leading bit. */
static int exponent_of(double x) {
    uint64_t bits = bits_of_double(x) & ~((uint64_t)1 << 63);
    int exponent = (int)(bits >> 52) - 1023;
    if (exponent == -1023)
        for (exponent++; (bits & (uint64_t)1 << 52) == 0; exponent--)
            bits <<= 1;
    return exponent;
}

double logb(double x) {
    if (x == 0)
        return -__builtin_inf();
    if (!FINITE(x))
        return x * x;
    return exponent_of(x);
}
float logbf(float x) { return (float)logb(x); }

int ilogb(double x) {
    compact_se_set_errno_if((x == 0) | !FINITE(x), EDOM);
    if (x == 0 || x != x)
        return -0x7fffffff - 1;
    return FINITE(x) ? exponent_of(x) : 0x7fffffff;
}
int ilogbf(float x) { return ilogb(x); }

double nextup(double x) {
    return x == __builtin_inf() || x != x ? x : x == 0 ? double_of_bits(1)
           : double_of_bits(bits_of_double(x) + (x > 0 ? 1 : (uint64_t)-1));
}
float nextupf(float x) {
    return x == __builtin_inff() || x != x ? x : x == 0 ? float_of_bits(1)
           : float_of_bits(bits_of_float(x) + (x > 0 ? 1 : (uint64_t)-1));
}
double nextdown(double x) { return -nextup(-x); }
float nextdownf(float x) { return -nextupf(-x); }

/* --- Powers and other functions, where they are exact ---------------------------------------- */

/* x^n where that is a double: an odd number to a power is one below 2^53 only. */
static int power_of(double x, int n, double *power) {
    const uint64_t sign_bit = (uint64_t)1 << 63;
    uint64_t bits = bits_of_double(x), odd, result = 1;
    int exponent, zeros, by;
    odd = significand_of(bits & ~sign_bit, &exponent);
    zeros = __builtin_ctzll(odd);
    odd >>= zeros;
    by = (exponent + zeros) * n;
    if (by < -960 || by > 960 || (odd != 1 && (n < 0 || n > 33)))
        return 0;
    for (int i = 0; odd != 1 && i < n; i++)
        if (__builtin_mul_overflow(result, odd, &result) || result >> 53 != 0)
            return 0;
    bits = scaled(bits_of_double((double)result), 52, 1023, by);
    *power = double_of_bits(bits | (n % 2 != 0 ? bits_of_double(x) & sign_bit : 0));
    return 1;
}

/* Beyond these whole numbers no power but that of 1 is exact. */
#define MOST_POWER 1100
#define IS_WHOLE(y) (-MOST_POWER <= (y) && (y) <= MOST_POWER && (y) == (int)(y))

/* `small` numbers have squares that are exact. */
#define POWER(name, type, small)                                                                   \
    type name(type x, type y) {                                                                    \
        double power;                                                                              \
        if (y == 0 || x == 1)                                                                      \
            return 1;                                                                              \
        if (x != x || y != y)                                                                      \
            return x + y;                                                                          \
        if (y == 1)                                                                                \
            return x;                                                                              \
        if (y == 2 && -small <= x && x <= small && x == (int)x)                                    \
            return x * x;                                                                          \
        if (x == 0 && 0 < y && y <= MOST_POWER)                                                    \
            return IS_WHOLE(y) && (int)y % 2 != 0 ? x : 0;                                         \
        if (IS_WHOLE(y) && x != 0 && FINITE(x) && power_of(x, (int)y, &power) &&                   \
            (type)power == power)                                                                  \
            return (type)power;                                                                    \
        __compact_se_unsupported("call of " #name " with a result that is rounded or out of range"); \
    }
POWER(pow, double, 67108864)
POWER(powf, float, 4096)

#define POWER_OF_TWO(name, type)                                                                   \
    type name(type x) {                                                                            \
        if (x != x)                                                                                \
            return x;                                                                              \
        if (-120 <= x && x <= 120 && x == (int)x)                                                  \
            return (type)double_of_bits((uint64_t)(1023 + (int)x) << 52);                          \
        __compact_se_unsupported("call of " #name " with a result that is rounded or out of range"); \
    }
POWER_OF_TWO(exp2, double)
POWER_OF_TWO(exp2f, float)

#define LOGARITHM_OF_TWO(name, type)                                                               \
    type name(type x) {                                                                            \
        if (x != x)                                                                                \
            return x;                                                                              \
        if (0 < x && FINITE(x)) {                                                                  \
            int exponent;                                                                          \
            uint64_t odd = significand_of(bits_of_double(x), &exponent);                           \
            int zeros = __builtin_ctzll(odd);                                                      \
            if (odd >> zeros == 1)                                                                 \
                return (type)(exponent + zeros);                                                   \
        }                                                                                          \
        __compact_se_unsupported("call of " #name " with a result that is rounded or not finite"); \
    }
LOGARITHM_OF_TWO(log2, double)
LOGARITHM_OF_TWO(log2f, float)

/* The one number whose result is exact. */
#define AT(name, type, where, result)                                                              \
    type name(type x) {                                                                            \
        if (x != x)                                                                                \
            return x;                                                                              \
        if (x == where)                                                                            \
            return result;                                                                         \
        __compact_se_unsupported("call of " #name " with a result that is rounded or not finite"); \
    }
AT(sin, double, 0, x) AT(sinf, float, 0, x)
AT(cos, double, 0, 1) AT(cosf, float, 0, 1)
AT(tan, double, 0, x) AT(tanf, float, 0, x)
AT(asin, double, 0, x) AT(asinf, float, 0, x)
AT(acos, double, 1, 0) AT(acosf, float, 1, 0)
AT(atan, double, 0, x) AT(atanf, float, 0, x)
AT(sinh, double, 0, x) AT(sinhf, float, 0, x)
AT(cosh, double, 0, 1) AT(coshf, float, 0, 1)
AT(tanh, double, 0, x) AT(tanhf, float, 0, x)
AT(asinh, double, 0, x) AT(asinhf, float, 0, x)
AT(acosh, double, 1, 0) AT(acoshf, float, 1, 0)
AT(atanh, double, 0, x) AT(atanhf, float, 0, x)
AT(exp, double, 0, 1) AT(expf, float, 0, 1)
AT(expm1, double, 0, x) AT(expm1f, float, 0, x)
AT(log, double, 1, 0) AT(logf, float, 1, 0)
AT(log10, double, 1, 0) AT(log10f, float, 1, 0)
AT(log1p, double, 0, x) AT(log1pf, float, 0, x)
AT(cbrt, double, 0, x) AT(cbrtf, float, 0, x)
AT(erf, double, 0, x) AT(erff, float, 0, x)

/* Exact where one of them is 0, or three whole numbers without rounding are the sides of a triangle. */
double hypot(double x, double y) {
    double squares = x * x + y * y, root;
    if ((x == 0 || y == 0) && x == x && y == y)
        return __builtin_fabs(y == 0 ? x : y);
    if (INFINITE(x) || INFINITE(y))
        return __builtin_inf();
    if (__builtin_fabs(x) <= 0x1p26 && __builtin_fabs(y) <= 0x1p26 && x == (int)x && y == (int)y) {
        root = __builtin_elementwise_sqrt(squares);
        if (root == (int)root && root * root == squares)
            return root;
    }
    __compact_se_unsupported("call of hypot with a result that is rounded or not finite");
}
float hypotf(float x, float y) {
    double result = hypot(x, y);
    if (result != (float)result)
        __compact_se_unsupported("call of hypotf with a result that is rounded or not finite");
    return (float)result;
}

/* Nothing is computed where one of them is 0. */
#define WITH_ZERO(name, type, condition, result)                                                   \
    type name(type x, type y) {                                                                    \
        if (condition)                                                                             \
            return result;                                                                         \
        __compact_se_unsupported("call of " #name " with a result that is rounded or not finite"); \
    }
WITH_ZERO(atan2, double, x == 0 && y > 0, x)
WITH_ZERO(atan2f, float, x == 0 && y > 0, x)

/* --- Complex numbers ------------------------------------------------------------------------ */

#define COMPLEX(x, y) __builtin_complex(x, y)

double creal(double _Complex z) { return __real__ z; }
float crealf(float _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return COMPLEX(__real__ z, -__imag__ z); }
float _Complex conjf(float _Complex z) { return COMPLEX(__real__ z, -__imag__ z); }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
double _Complex cproj(double _Complex z) {
    if (INFINITE(__real__ z) || INFINITE(__imag__ z))
        return COMPLEX(__builtin_inf(), __builtin_copysign(0, __imag__ z));
    return z;
}
float _Complex cprojf(float _Complex z) {
    if (INFINITE(__real__ z) || INFINITE(__imag__ z))
        return COMPLEX(__builtin_inff(), __builtin_copysignf(0, __imag__ z));
    return z;
}

/* What the compiler calls where both parts of a product are no numbers: C's Annex G has infinities then. */
#define PRODUCT(name, type, infinity, copysign)                                                    \
    static type signed_one_##name(type x) { return copysign(INFINITE(x) ? 1 : 0, x); }             \
    static type or_zero_##name(type x) { return x != x ? copysign(0, x) : x; }                     \
    type _Complex name(type a, type b, type c, type d) {                                           \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                       \
        type real = ac - bd, imaginary = ad + bc;                                                  \
        int is_infinite = 0;                                                                       \
        if (real == real || imaginary == imaginary)                                                \
            return COMPLEX(real, imaginary);                                                       \
        if (INFINITE(a) || INFINITE(b)) {                                                          \
            a = signed_one_##name(a);                                                              \
            b = signed_one_##name(b);                                                              \
            c = or_zero_##name(c);                                                                 \
            d = or_zero_##name(d);                                                                 \
            is_infinite = 1;                                                                       \
        }                                                                                          \
        if (INFINITE(c) || INFINITE(d)) {                                                          \
            c = signed_one_##name(c);                                                              \
            d = signed_one_##name(d);                                                              \
            a = or_zero_##name(a);                                                                 \
            b = or_zero_##name(b);                                                                 \
            is_infinite = 1;                                                                       \
        }                                                                                          \
        if (!is_infinite && (INFINITE(ac) || INFINITE(bd) || INFINITE(ad) || INFINITE(bc))) {      \
            a = or_zero_##name(a);                                                                 \
            b = or_zero_##name(b);                                                                 \
            c = or_zero_##name(c);                                                                 \
            d = or_zero_##name(d);                                                                 \
            is_infinite = 1;                                                                       \
        }                                                                                          \
        if (!is_infinite)                                                                          \
            return COMPLEX(real, imaginary);                                                       \
        return COMPLEX(infinity * (a * c - b * d), infinity * (a * d + b * c));                    \
    }
PRODUCT(__muldc3, double, __builtin_inf(), __builtin_copysign)
PRODUCT(__mulsc3, float, __builtin_inff(), __builtin_copysignf)

/* Libraries compute these in ways that differ in the last bits. */
#define QUOTIENT(name, type)                                                                       \
    type _Complex name(type a, type b, type c, type d) {                                           \
        (void)a, (void)b, (void)c, (void)d;                                                        \
        __compact_se_unsupported("a quotient of complex numbers, whose rounding is unspecified");   \
    }
QUOTIENT(__divdc3, double)
QUOTIENT(__divsc3, float)
