// Calls without end, through a pointer in memory: nothing is folded, and the stack of calls grows.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct machine {
    unsigned (*next)(struct machine *);
    unsigned state;
};

static unsigned step(struct machine *machine) {
    machine->state = machine->state * machine->state + 3;
    return machine->next(machine) + 1;
}

int main(void) {
    struct machine machine = {step, __VERIFIER_nondet_uint()};
    if (step(&machine) == 7)
        reach_error();
    return 0;
}
