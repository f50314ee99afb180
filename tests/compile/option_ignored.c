// run: -fsanitize=undefined => 0 --check selects the checks
// run: -fsanitize=address -fno-sanitize-recover => 0 options of sanitizers are ignored
// run: -ffast-math => 0 -ffast-math is ignored
// run: -Ofast => 0 -Ofast is ignored
// run: -fPIC -fno-strict-aliasing -flto -fno-tree-vrp -mcmodel=large => 0
// run: -fopenmp => 2 -fopenmp is not supported: threads are not supported
// run: -mfpmath=387 => 2 -mfpmath=387 is not supported
// run: -fplugin=a.so => 2 -fplugin=a.so is not supported
// Options that change nothing are ignored, of the others there is a note or a refusal.
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x + 1 > x;
}
