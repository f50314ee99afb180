// verdict: unreachable
// Half precision has eleven bits: each sum is rounded, and what is halfway goes to the even number.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const _Float16 steps[4] = {1.0f16, 0.5f16, 0.0009765625f16, 65504.0f16};

struct pair {
    char tag;
    _Float16 value;
};

static struct pair pairs[2] = {{'a', 2.5f16}, {'b', -0.1f16}};

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    _Float16 even = 2048.0f16 + (_Float16)(n % 2);
    if (even != 2048.0f16)
        reach_error();
    if (steps[n % 4] < steps[2] || (float)steps[2] * 1024 != 1)
        reach_error();
    _Float16 value = n % 3 ? 1.5f16 : -0.25f16;
    if (value * 2 != 3 && value * 4 != -1)
        reach_error();
    if (pairs[1].value <= -0.1f || (int)(pairs[0].value * 10) != 25)
        reach_error();
    if (steps[3] + steps[3] != __builtin_inff16())
        reach_error();
    return 0;
}
