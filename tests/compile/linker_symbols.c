// run: => 0
// run: -DERROR => 1 an assertion fails
// run: -m32 => 0
// Sections that are walked through, what is declared weak and not there, and variables of unknown type.
#include <assert.h>
static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
typedef int (*step)(int);
__attribute__((used, section("steps"))) static const step first = twice;
__attribute__((used, section("steps"))) static const step second = next;
extern const step __start_steps[], __stop_steps[];
int optional(int) __attribute__((weak));
extern int setting __attribute__((weak));
struct device;
extern struct device console, printer;
struct device *chosen = &console;
int main(void) {
    int x = 2;
    for (const step *p = __start_steps; p < __stop_steps; p++)
        x = (*p)(x);
#ifdef ERROR
    assert(x != 5);
#endif
    assert(x == 5 && __stop_steps - __start_steps == 2);
    assert((optional ? optional(1) : 3) == 3 && &setting == 0);
    assert(chosen && chosen == &console && chosen != &printer);
}
