int nondet();
main() {
  int x = nondet();
  if (x > 10 && x < 5) { ERROR: goto ERROR; }
  return 0;
}
