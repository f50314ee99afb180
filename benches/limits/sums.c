// Counters of counters: sums of sums with conditions on symbolic arrays.
unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
  static unsigned char text[5000];
  for (unsigned i = 0; i < 5000; i++) text[i] = __VERIFIER_nondet_uchar();
  unsigned a = 0, b = 0, c = 0;
  for (unsigned i = 0; i < 5000; i++) {
    if (text[i] == n) a += 3;
    if (text[i] > a) b += a; 
    c += (text[i] ^ b) * m;
  }
  for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) if ((i ^ j) % 7 == 3) c += a;
  if (c == 123456789u && a > 100) reach_error();
  return 0;
}
