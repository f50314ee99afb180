/* Compares the models of the calendar with the C library's functions, on random times and dates. The models
 * are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

struct tm *model_gmtime(const time_t *), *model_gmtime_r(const time_t *, struct tm *);
struct tm *model_localtime(const time_t *), *model_localtime_r(const time_t *, struct tm *);
time_t model_timegm(struct tm *), model_mktime(struct tm *), model_timelocal(struct tm *);
char *model_ctime(const time_t *), *model_ctime_r(const time_t *, char *);
double model_difftime(time_t, time_t);
size_t model_strftime(char *, size_t, const char *, const struct tm *);
char *model_asctime(const struct tm *), *model_asctime_r(const struct tm *, char *);
void model_compact_se_set_errno(int number) { errno = number; }
void model_compact_se_may_set_errno(void) {}
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void model___compact_se_unsupported(const char *what) { abort(); }

static int same(const struct tm *x, const struct tm *y) {
    return x->tm_sec == y->tm_sec && x->tm_min == y->tm_min && x->tm_hour == y->tm_hour && x->tm_mday == y->tm_mday &&
           x->tm_mon == y->tm_mon && x->tm_year == y->tm_year && x->tm_wday == y->tm_wday &&
           x->tm_yday == y->tm_yday && x->tm_isdst == y->tm_isdst && x->tm_gmtoff == y->tm_gmtoff &&
           strcmp(x->tm_zone, y->tm_zone) == 0;
}

/* Near the ends of days and years, of this age, and anything. */
static time_t random_time(void) {
    time_t time = (time_t)(random_64() >> below(64));
    switch (below(4)) {
    case 0: return below(2) ? time : -time;
    case 1: return (time_t)below(200000) * 86400 - 50000LL * 86400 + (int)below(3) - 1;
    case 2: return (time_t)(random_64() % 8000000000) - 3000000000;
    default: return (time_t)(random_64() % 135536020000000000) - 67768040609740800;
    }
}

static void check_time(void) {
    time_t time = random_time(), other = random_time();
    struct tm ours, theirs;
    errno = 0;
    struct tm *found = model_gmtime_r(&time, &ours);
    int number = errno;
    errno = 0;
    struct tm *expected = gmtime_r(&time, &theirs);
    EXPECT(!found == !expected && number == errno, "%ld", time);
    if (found == NULL || expected == NULL)
        return;
    EXPECT(same(&ours, &theirs), "%ld", time);
    EXPECT(same(model_gmtime(&time), &theirs), "%ld", time);
    EXPECT(model_timegm(&ours) == time && same(&ours, &theirs), "%ld", time);
    localtime_r(&time, &theirs);
    EXPECT(model_localtime_r(&time, &ours) == &ours && same(&ours, &theirs), "%ld", time);
    EXPECT(same(model_localtime(&time), &theirs), "%ld", time);
    EXPECT(model_difftime(time, other) == difftime(time, other), "%ld %ld", time, other);
}

/* Fields that need not be those of a date. */
static void check_date(void) {
    static const int least[] = {0, -100, INT32_MIN / 2}, range[] = {70, 300, INT32_MAX};
    int kind = (int)below(3);
#define FIELD (least[kind] + (int)below((unsigned)range[kind]))
    struct tm ours = {FIELD, FIELD, FIELD, FIELD, FIELD, FIELD}, theirs;
    theirs = ours;
    errno = 0;
    time_t found = model_timegm(&ours);
    int number = errno;
    errno = 0;
    time_t expected = timegm(&theirs);
    EXPECT(found == expected && number == errno, "%ld and %ld", found, expected);
    EXPECT(found == -1 || same(&ours, &theirs), "%ld", found);
    ours.tm_isdst = theirs.tm_isdst = -(int)below(2);
    errno = 0;
    found = (below(2) ? model_mktime : model_timelocal)(&ours), number = errno;
    errno = 0;
    expected = mktime(&theirs);
    EXPECT(found == expected && number == errno, "%ld and %ld", found, expected);
    EXPECT(found == -1 || same(&ours, &theirs), "%ld", found);
}

static void check_text(void) {
    static const char parts[] = "aAbBcdDeFgGhHIjklmMnpPrRStTuUVwWxXyY%";
    time_t time = -30000000000 + (time_t)(random_64() % 280000000000);
    struct tm date;
    gmtime_r(&time, &date);
    if (date.tm_year < -900 || date.tm_year > 8099)
        return;
    char format[40], ours[200], theirs[200];
    unsigned length = 0;
    while (length < 30) {
        if (below(3) == 0)
            format[length++] = " -:x"[below(4)];
        format[length++] = '%';
        format[length++] = parts[below(sizeof parts - 1)];
        if (below(4) == 0)
            break;
    }
    format[length] = '\0';
    size_t room = below(10) ? sizeof ours : below(60);
    size_t n_ours = model_strftime(ours, room, format, &date), n_theirs = strftime(theirs, room, format, &date);
    EXPECT(n_ours == n_theirs, "%s at %ld", format, time);
    EXPECT(n_theirs == 0 || strcmp(ours, theirs) == 0, "%s at %ld: %s and %s", format, time, ours, theirs);
    EXPECT(strcmp(model_asctime(&date), asctime_r(&date, theirs)) == 0, "%ld: %s", time, theirs);
    EXPECT(strcmp(model_asctime_r(&date, ours), theirs) == 0, "%ld: %s", time, theirs);
    EXPECT(strcmp(model_ctime(&time), theirs) == 0, "%ld: %s", time, theirs);
    EXPECT(strcmp(model_ctime_r(&time, ours), theirs) == 0, "%ld: %s", time, theirs);
}

int main(void) {
    setenv("TZ", "UTC0", 1);
    tzset();
    char text[26], *(*volatile asctime_of)(const struct tm *) = asctime;
    errno = 0;
    EXPECT(model_asctime(NULL) == NULL && errno == EINVAL, "no date");
    errno = 0;
    EXPECT(asctime_of(NULL) == NULL && errno == EINVAL, "no date");
    EXPECT(model_asctime_r(NULL, text) == NULL, "no date");
    for (int i = 0; i < 100000; i++) {
        check_time();
        check_date();
        check_text();
    }
    return failures != 0;
}
