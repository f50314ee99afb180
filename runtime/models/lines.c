/* Models of what reads whole lines into memory that it makes, for programs whose standard input may hold
 * anything (input.c).
 *
 * Compiled and linked as string.c is, and part of a replay: that reads the line by the C library, and its
 * memory is that of the replay.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */

#define NULL ((void *)0)
enum { EINVAL = 22, FIRST_BYTES = 120 };

void *realloc(void *block, size_t bytes);
void compact_se_set_errno(int number);
/* Of input.c, and of a replay. */
ssize_t compact_se_next_line(int delimiter, void *file);
void compact_se_take_line(char *to, size_t length, int delimiter);

/* How much larger than a line its memory is, is for the library to choose. */
static ssize_t read_up_to(char **line, size_t *bytes, int delimiter, void *file) {
    ssize_t length;
    if (line == NULL || bytes == NULL) {
        compact_se_set_errno(EINVAL);
        return -1;
    }
    if (*line == NULL || *bytes == 0) {
        *bytes = FIRST_BYTES;
        *line = realloc(*line, *bytes);
    }
    length = compact_se_next_line(delimiter, file);
    if (length < 0)
        return -1;
    if ((size_t)length >= *bytes) {
        *bytes = 2 * (size_t)length;
        *line = realloc(*line, *bytes);
    }
    compact_se_take_line(*line, (size_t)length, delimiter);
    (*line)[length] = '\0';
    return length;
}

ssize_t getline(char **line, size_t *bytes, void *file) {
    return read_up_to(line, bytes, '\n', file);
}
ssize_t getdelim(char **line, size_t *bytes, int delimiter, void *file) {
    return read_up_to(line, bytes, (unsigned char)delimiter, file);
}
ssize_t __getdelim(char **line, size_t *bytes, int delimiter, void *file) {
    return read_up_to(line, bytes, (unsigned char)delimiter, file);
}
