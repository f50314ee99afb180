// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { READY, WAITING, DONE };
static int producer = READY, consumer = READY;
static int full, item, seen;

static void produce(void) {
    if (!full) {
        item = __VERIFIER_nondet_int();
        full = 1;
        if (consumer == WAITING)
            consumer = READY;
    } else {
        producer = WAITING;
    }
}

static void consume(void) {
    if (full) {
        seen = item;
        full = 0;
        if (producer == WAITING)
            producer = READY;
    } else {
        consumer = WAITING;
    }
}

int main(void) {
    while (producer == READY || consumer == READY) {
        if (producer == READY && __VERIFIER_nondet_int())
            produce();
        if (consumer == READY && __VERIFIER_nondet_int())
            consume();
    }
    // Both wait: only if the place is full and empty at once.
    if (producer == WAITING && consumer == WAITING)
        reach_error();
    return seen;
}
