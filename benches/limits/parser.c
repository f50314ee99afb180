// A recursive-descent parser of expressions over ten symbolic characters.
char __VERIFIER_nondet_char(void);
void reach_error(void) {}
static char text[11];
static int at;
static int failed;
static int expression(void);
static int number(void) {
  int value = 0, digits = 0;
  while (text[at] >= '0' && text[at] <= '9') { value = value * 10 + (text[at] - '0'); at++; digits++; }
  if (!digits) failed = 1;
  return value;
}
static int factor(void) {
  if (text[at] == '(') {
    at++;
    int value = expression();
    if (text[at] == ')') at++; else failed = 1;
    return value;
  }
  if (text[at] == '-') { at++; return -factor(); }
  return number();
}
static int term(void) {
  int value = factor();
  while (text[at] == '*' || text[at] == '/') {
    char op = text[at++];
    int other = factor();
    if (op == '*') value *= other;
    else if (other != 0) value /= other;
    else failed = 1;
  }
  return value;
}
static int expression(void) {
  int value = term();
  while (text[at] == '+' || text[at] == '-') {
    char op = text[at++];
    int other = term();
    value = op == '+' ? value + other : value - other;
  }
  return value;
}
int main(void) {
  for (int i = 0; i < 10; i++) text[i] = __VERIFIER_nondet_char();
  text[10] = 0;
  int value = expression();
  if (!failed && text[at] == 0 && at == 10 && value == 4711) reach_error();
  return 0;
}
