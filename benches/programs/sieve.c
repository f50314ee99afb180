// Primes below 100,000 by the sieve of Eratosthenes: concrete loops that write and read an array.
void reach_error(void) {}

#define N 100000
static unsigned char composite[N];

int main(void) {
    int primes = 0;
    for (int i = 2; i < N; i++) {
        if (composite[i])
            continue;
        primes++;
        for (int j = 2 * i; j < N; j += i)
            composite[j] = 1;
    }
    if (primes != 9592)
        reach_error();
    return 0;
}
