// verdict: unreachable
// Sent and received count without end; only how far they are from each other matters.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static unsigned sent, received;
static int full;

static void send(void) {
    if (!full) {
        sent++;
        full = 1;
    }
}

static void receive(void) {
    if (full) {
        received += 1;
        full = 0;
    }
}

int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int())
            send();
        else
            receive();
        if (!full && sent != received)
            reach_error();
        if (full && sent != received + 1)
            reach_error();
    }
}
