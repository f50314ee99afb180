/* errno: 0 when the program starts. No library function makes it 0, and each that the program
 * calls may change it, whether something went wrong or not, unless its model says exactly when.
 *
 * Compiled as string.c is, without debug information. Models that call compact_se_set_errno and its
 * kin need not know whether the program asks for errno: where it does not, these functions are empty
 * (prepare/models.rs).
 */
typedef __UINT32_TYPE__ uint32_t;

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);

#ifdef GIVEN_ENVIRONMENT
/* Of environment.c, and of the C library in a replay. */
int *__errno_location(void);
#define number (*__errno_location())
#else
static int number;

int *__errno_location(void) { return &number; }
#endif

/* 0 for what leaves it as it is. Without branches, since this stands behind many calls. */
void compact_se_may_set_errno(void) {
    int new = (int)(__compact_se_input_i32("errno") & 0x7fffffff);
    number = new | (number & -(new == 0));
}

void compact_se_set_errno(int new) { number = new; }

void compact_se_set_errno_if(int condition, int new) {
    number = (new & -(condition != 0)) | (number & -(condition == 0));
}
