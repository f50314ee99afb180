// run: -DASYNC => 2 the label __CPROVER_ASYNC_1 starts a thread
// run: => 0 #pragma CPROVER check is ignored
// Threads of CBMC are refused, its pragmas about checks are said to be ignored.
int ready;
void publish(void) { ready = 1; }
int main(void) {
#ifdef ASYNC
__CPROVER_ASYNC_1:
    publish();
#endif
#pragma CPROVER check push
    publish();
    return ready;
}
