// verdict: reachable
// inputs: unchecked  # 1000; paths of so many steps are not followed one by one
//
// The argument comes back to itself every 256 calls, the depth does not.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned left;

static unsigned depth(unsigned char iteration) {
    if (left == 0)
        return iteration;
    left--;
    return depth((unsigned char)(iteration + 1)) + 1;
}

int main(void) {
    left = __VERIFIER_nondet_uint();
    if (left == 1000 && depth(0) == 1232)
        reach_error();
    return 0;
}
