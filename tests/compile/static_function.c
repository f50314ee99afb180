// run: => 0
// run: --function clamp_div => 1 division by zero
// run: --function plain_div => 1 division by zero
// run: --function inline_div => 1 division by zero
// run: --function clamp_dvi => 2 did you mean clamp_div?
// run: --target plian_div => 2 did you mean plain_div?
// run: --target clamp_div => 0
// run: --function plain_div --target half => 1
// Functions that are never called are entries all the same.
static inline int clamp_div(int x, int y) { return x / y; }
static int half(int x) { return x / 2; }
static int plain_div(int x, int y) { return half(x) / y; }
inline int inline_div(int x, int y) { return x / y; }
int main(void) { return 0; }
