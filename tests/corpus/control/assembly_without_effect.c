// verdict: unreachable
//
// Barriers and pauses change nothing, and a value that is hidden from compilers stays the same.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), hidden = n, other = 7, here = 9;
    __asm__ volatile("" ::: "memory");
    __asm__("" : "+r"(hidden));
    __asm__ volatile("# begin" : "+r"(hidden), "+r"(other) : "r"(n) : "memory");
    __asm__ volatile("" : "+m"(here));
    __asm__ volatile("nop; pause\n\tmfence");
    __asm__ volatile("rep; nop" ::: "memory");
    __builtin_ia32_pause();
    if (hidden != n || other != 7 || here != 9 || !__builtin_return_address(0))
        reach_error();
    return __builtin_frame_address(0) == 0;
}
