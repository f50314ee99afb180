int nondet();
main() {
  int x = nondet();
  if (x > 5 && x < 7) { ERROR: goto ERROR; }
  return 0;
}
