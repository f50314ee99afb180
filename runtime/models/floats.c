/* Models of the classification of floats, and of the rounding mode.
 *
 * Compiled and linked as string.c is. Results are those of the GNU C library, also where C asks
 * for "not 0" only. Nothing changes the rounding mode: fesetround and its kin are refused.
 */

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

/* To the nearest. */
int fegetround(void) { return 0; }
