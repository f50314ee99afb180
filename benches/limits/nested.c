// Sortedness of a matrix: quantifiers in quantifiers.
unsigned __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
#define N 200
static int m[N][N];
int main(void) {
  unsigned rows = __VERIFIER_nondet_uint(), columns = __VERIFIER_nondet_uint();
  if (rows > N || columns > N || rows < 3 || columns < 3) return 0;
  for (unsigned i = 0; i < rows; i++) for (unsigned j = 0; j < columns; j++) m[i][j] = __VERIFIER_nondet_int();
  for (unsigned i = 0; i < rows; i++)
    for (unsigned j = 0; j + 1 < columns; j++)
      if (m[i][j] * m[i][j] + 1 > m[i][j + 1] % 1000 + (int)(i * j)) return 0;
  for (unsigned j = 0; j < columns; j++)
    for (unsigned i = 0; i + 1 < rows; i++)
      if (m[i][j] > m[i + 1][j]) return 0;
  if (m[rows - 1][columns - 1] * m[0][0] == 12347) reach_error();
  return 0;
}
