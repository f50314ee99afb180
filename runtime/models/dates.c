/* Models of the calendar of <time.h>. The time zone is for the system to choose; what depends on it takes it
 * for UTC, and loaded.rs has that said. Texts are those of the C locale.
 *
 * Compiled and linked as string.c is.
 */
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void compact_se_set_errno(int number), compact_se_may_set_errno(void);

enum { INVALID = 22 /* EINVAL */, OVERFLOW = 75 /* EOVERFLOW */ };

/* As the GNU C library has it. */
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

/* The difference may have a bit more than a time. */
double difftime(long later, long earlier) {
    return later < earlier ? -(double)((unsigned long)earlier - (unsigned long)later)
                           : (double)((unsigned long)later - (unsigned long)earlier);
}

/* --- Days and dates ------------------------------------------------------------------------- */

/* Years begin with March here, so that the day that only some years have is their last. */
enum { DAYS_IN_400_YEARS = 146097, FROM_MARCH_0_TO_1970 = 719468, INT_MOST = 0x7fffffff };

static long long quotient(long long value, long long by) {
    return value / by - (value % by < 0);
}

/* The number of a day, from that on which 1970 begins; months count from 0, and there may be more than 12. */
static long long day_of(long long year, long long month, long long day) {
    long long years = year + quotient(month - 2, 12), era = quotient(years, 400);
    long long of_era = years - 400 * era, of_year = month - 2 - 12 * quotient(month - 2, 12);
    long long days = 365 * of_era + of_era / 4 - of_era / 100 + (153 * of_year + 2) / 5;
    return era * DAYS_IN_400_YEARS + days + day - 1 - FROM_MARCH_0_TO_1970;
}

static int is_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static struct tm *split(const long *time, struct tm *to, const char *zone) {
    long long days = quotient(*time, 86400), since = days + FROM_MARCH_0_TO_1970;
    long long era = quotient(since, DAYS_IN_400_YEARS), of_era = since - era * DAYS_IN_400_YEARS;
    long long years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long long of_year = of_era - (365 * years + years / 4 - years / 100);
    long long month = (5 * of_year + 2) / 153, year;
    int seconds = (int)(*time - 86400 * days);
    years += 400 * era;
    year = years + (month >= 10);
    if (year - 1900 > INT_MOST || year - 1900 < -INT_MOST - 1LL) {
        compact_se_set_errno(OVERFLOW);
        return NULL;
    }
    to->tm_sec = seconds % 60;
    to->tm_min = seconds / 60 % 60;
    to->tm_hour = seconds / 3600;
    to->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    to->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
    to->tm_year = (int)(year - 1900);
    to->tm_wday = (int)(days + 4 - 7 * quotient(days + 4, 7));
    to->tm_yday = (int)(month < 10 ? of_year + 59 + is_leap(year) : of_year - 306);
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = zone;
    return to;
}

/* Both have the same place. */
static struct tm last;

struct tm *gmtime_r(const long *restrict time, struct tm *restrict to) { return split(time, to, "GMT"); }
struct tm *gmtime(const long *time) { return split(time, &last, "GMT"); }

/* What the library knows of the time zone it has read from a file. */
struct tm *localtime_r(const long *restrict time, struct tm *restrict to) {
    compact_se_may_set_errno();
    return split(time, to, "UTC");
}
struct tm *localtime(const long *time) { return localtime_r(time, &last); }

static long join(struct tm *date, const char *zone) {
    long long time = day_of(date->tm_year + 1900LL, date->tm_mon, date->tm_mday) * 86400;
    long short_time;
    struct tm normal;
    time += date->tm_hour * 3600LL + date->tm_min * 60LL + date->tm_sec;
    short_time = (long)time;
    if (short_time != time) {
        compact_se_set_errno(OVERFLOW);
        return -1;
    }
    if (split(&short_time, &normal, zone) == NULL)
        return -1;
    *date = normal;
    return short_time;
}

long timegm(struct tm *date) {
    date->tm_isdst = 0;
    return join(date, "GMT");
}

long mktime(struct tm *date) {
    if (date->tm_isdst > 0)
        __compact_se_unsupported("mktime of a date in daylight saving time");
    compact_se_may_set_errno();
    return join(date, "UTC");
}
long timelocal(struct tm *date) { return mktime(date); }

/* --- Texts ---------------------------------------------------------------------------------- */

static const char days[7][10] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};
static const char months[12][10] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

/* A text that is written, up to its end. */
struct text {
    char *to;
    size_t length, room;
};

static void put(struct text *text, char c) {
    if (text->length < text->room)
        text->to[text->length] = c;
    text->length++;
}

static void put_text(struct text *text, const char *from, size_t most) {
    size_t i;
    for (i = 0; i < most && from[i] != '\0'; i++)
        put(text, from[i]);
}

/* A number of at most four digits, with so many places at least. */
static void put_number(struct text *text, int value, int width, char fill) {
    char digits[4];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (; width > n; width--)
        put(text, fill);
    while (n > 0)
        put(text, digits[--n]);
}

/* The number of the week with this day, if weeks begin on this day of the week. */
static int week_of(int day, int weekday, int first) {
    return (day - (weekday - first + 7) % 7 + 7) / 7;
}

/* The year of the ISO week with this date, and in `week` its number: weeks begin on Monday and
 * are of the year that has their Thursday. */
static int iso_year(const struct tm *date, int *week) {
    int year = date->tm_year + 1900;
    int thursday = date->tm_yday - (date->tm_wday + 6) % 7 + 3;
    if (thursday < 0) {
        year--;
        thursday += 365 + is_leap(year);
    } else if (thursday >= 365 + is_leap(year)) {
        thursday -= 365 + is_leap(year);
        year++;
    }
    *week = thursday / 7 + 1;
    return year;
}

static void put_time(struct text *text, const struct tm *date, int hour) {
    put_number(text, hour, 2, '0');
    put(text, ':');
    put_number(text, date->tm_min, 2, '0');
    put(text, ':');
    put_number(text, date->tm_sec, 2, '0');
}

static void put_part(struct text *text, char part, const struct tm *date) {
    int year = date->tm_year + 1900;
    int hour = date->tm_hour > 12 ? date->tm_hour - 12 : date->tm_hour == 0 ? 12 : date->tm_hour, week;
    switch (part) {
    case 'a': put_text(text, days[date->tm_wday], 3); break;
    case 'A': put_text(text, days[date->tm_wday], 9); break;
    case 'b': case 'h': put_text(text, months[date->tm_mon], 3); break;
    case 'B': put_text(text, months[date->tm_mon], 9); break;
    case 'c':
        put_text(text, days[date->tm_wday], 3);
        put(text, ' ');
        put_text(text, months[date->tm_mon], 3);
        put(text, ' ');
        put_number(text, date->tm_mday, 2, ' ');
        put(text, ' ');
        put_time(text, date, date->tm_hour);
        put(text, ' ');
        put_number(text, year, 1, '0');
        break;
    case 'd': put_number(text, date->tm_mday, 2, '0'); break;
    case 'D': case 'x':
        put_number(text, date->tm_mon + 1, 2, '0');
        put(text, '/');
        put_number(text, date->tm_mday, 2, '0');
        put(text, '/');
        put_number(text, year % 100, 2, '0');
        break;
    case 'e': put_number(text, date->tm_mday, 2, ' '); break;
    case 'F':
        put_number(text, year, 1, '0');
        put(text, '-');
        put_number(text, date->tm_mon + 1, 2, '0');
        put(text, '-');
        put_number(text, date->tm_mday, 2, '0');
        break;
    case 'g': put_number(text, iso_year(date, &week) % 100, 2, '0'); break;
    case 'G': put_number(text, iso_year(date, &week), 1, '0'); break;
    case 'H': put_number(text, date->tm_hour, 2, '0'); break;
    case 'I': put_number(text, hour, 2, '0'); break;
    case 'j': put_number(text, date->tm_yday + 1, 3, '0'); break;
    case 'k': put_number(text, date->tm_hour, 2, ' '); break;
    case 'l': put_number(text, hour, 2, ' '); break;
    case 'm': put_number(text, date->tm_mon + 1, 2, '0'); break;
    case 'M': put_number(text, date->tm_min, 2, '0'); break;
    case 'n': put(text, '\n'); break;
    case 'p': put_text(text, date->tm_hour > 11 ? "PM" : "AM", 2); break;
    case 'P': put_text(text, date->tm_hour > 11 ? "pm" : "am", 2); break;
    case 'r':
        put_time(text, date, hour);
        put_text(text, date->tm_hour > 11 ? " PM" : " AM", 3);
        break;
    case 'R':
        put_number(text, date->tm_hour, 2, '0');
        put(text, ':');
        put_number(text, date->tm_min, 2, '0');
        break;
    case 'S': put_number(text, date->tm_sec, 2, '0'); break;
    case 't': put(text, '\t'); break;
    case 'T': case 'X': put_time(text, date, date->tm_hour); break;
    case 'u': put_number(text, (date->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'U': put_number(text, week_of(date->tm_yday, date->tm_wday, 0), 2, '0'); break;
    case 'V':
        iso_year(date, &week);
        put_number(text, week, 2, '0');
        break;
    case 'w': put_number(text, date->tm_wday, 1, '0'); break;
    case 'W': put_number(text, week_of(date->tm_yday, date->tm_wday, 1), 2, '0'); break;
    case 'y': put_number(text, year % 100, 2, '0'); break;
    case 'Y': put_number(text, year, 1, '0'); break;
    case '%': put(text, '%'); break;
    default: __compact_se_unsupported("strftime with flags, widths, %C, %E, %O, %s, %z, %Z or unknown parts");
    }
}

/* What is beyond the calendar C leaves unspecified, and where years have other signs and lengths, libraries
 * differ. */
static int is_of_calendar(const struct tm *date) {
    return date->tm_sec >= 0 && date->tm_sec <= 60 && date->tm_min >= 0 && date->tm_min <= 59 && date->tm_hour >= 0 &&
           date->tm_hour <= 23 && date->tm_mday >= 0 && date->tm_mday <= 31 && date->tm_mon >= 0 &&
           date->tm_mon <= 11 && date->tm_wday >= 0 && date->tm_wday <= 6 && date->tm_yday >= 0 &&
           date->tm_yday <= 365 && date->tm_year >= -900 && date->tm_year <= 8099;
}

size_t strftime(char *restrict to, size_t room, const char *restrict format,
                const struct tm *restrict date) {
    struct text text = {to, 0, room};
    size_t i;
    if (!is_of_calendar(date))
        __compact_se_unsupported("strftime for a date beyond the calendar, or a year before 1000 or after 9999");
    for (i = 0; format[i] != '\0'; i++)
        if (format[i] == '%')
            put_part(&text, format[++i], date);
        else
            put(&text, format[i]);
    put(&text, '\0');
    return text.length <= room ? text.length - 1 : 0;
}

char *asctime_r(const struct tm *restrict date, char *restrict to) {
    struct text text = {to, 0, 26};
    if (date == NULL) {
        compact_se_set_errno(INVALID);
        return NULL;
    }
    if (!is_of_calendar(date))
        __compact_se_unsupported("asctime for a date beyond the calendar, or a year before 1000 or after 9999");
    put_part(&text, 'c', date);
    put_text(&text, "\n", 1);
    put(&text, '\0');
    return to;
}

char *asctime(const struct tm *date) {
    static char last[26];
    return asctime_r(date, last);
}

char *ctime(const long *time) { return asctime(localtime(time)); }

char *ctime_r(const long *restrict time, char *restrict to) {
    struct tm date;
    return asctime_r(localtime_r(time, &date), to);
}
