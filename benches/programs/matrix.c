// Products of matrices modulo a prime: divisions, and arrays of 64-bit numbers in two dimensions.
void reach_error(void) {}

#define N 24
#define P 1000003
typedef unsigned long long matrix[N][N];
static matrix a, b, c;

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 31 + j * 17) % 101;
            b[i][j] = i == j;
        }
    for (int times = 0; times < 12; times++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                unsigned long long sum = 0;
                for (int k = 0; k < N; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum % P;
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                b[i][j] = c[i][j];
    }
    for (int i = 0; i < N; i++)
        if (b[i][i] >= P)
            reach_error();
    return 0;
}
