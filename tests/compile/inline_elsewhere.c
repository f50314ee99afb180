// Of inline_result.c.
#ifdef ELSEWHERE
int twice(int x) { return x; }
#else
inline int twice(int x) { return 2 * x; }
int four(void) { return twice(2); }
#endif
