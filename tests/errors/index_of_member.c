// check: index
extern unsigned __VERIFIER_nondet_uint(void);
struct packet { unsigned char header[4]; int length; };

int main(void) {
    struct packet packet = {{0}, 0};
    unsigned at = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (at < 4)
#else
    if (at <= 4)
#endif
        packet.header[at] = 1; // error: index out of the bounds of its array
    return packet.length;
}
