#include "core/base/calendar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Days from the beginning of 1970 to a date. A year that begins in March has its odd day at the end. */
static long days_since_1970(int year, int month, int day)
{
    const long y = month > 2 ? year : year - 1L, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* Reads a number of up to `most` digits, and moves behind it; -1 if there is none. */
static int number(const char **text, int most)
{
    int n = -1;
    for (; most > 0 && **text >= '0' && **text <= '9'; most--, (*text)++)
        n = 10 * (n < 0 ? 0 : n) + (**text - '0');
    return n;
}

/* The same of a number that follows a letter; -1 also if another one is there. */
static int number_after(const char **text, char letter, int most)
{
    if (**text != letter)
        return -1;
    ++*text;
    return number(text, most);
}

/* What a zone adds to UTC, s: "Z", "UTC", "+01:00", "-6:00", "+0530", or nothing; NAN for another text. */
static double zone_seconds(const char *text)
{
    static const char *const utc[] = {"", "Z", "z", "UTC", "utc", "GMT"};
    text += strspn(text, " ");
    for (size_t k = 0; k < sizeof utc / sizeof *utc; k++)
        if (strcmp(text, utc[k]) == 0)
            return 0;
    if (*text != '+' && *text != '-')
        return (double)NAN;
    const double sign = *text++ == '-' ? -1 : 1;
    const int together = strspn(text, "0123456789") == 4;
    const int hours = number(&text, 2);
    const int two = *text == ':' && strspn(text + 1, "0123456789") == 2;
    const int minutes = together ? number(&text, 2) : two ? number_after(&text, ':', 2) : 0;
    return *text || hours < 0 || hours > 14 || minutes < 0 || minutes > 59
               ? (double)NAN
               : sign * (3600.0 * hours + 60.0 * minutes);
}

/* Reads ":15" or ":15.5", and moves behind it; 0 if there is no colon, NAN if another text follows. */
static double seconds_after(const char **text)
{
    if (**text != ':')
        return 0;
    char *end;
    const char *const begin = *text + 1;
    const double s = strtod(begin, &end);
    *text = end;
    return end > begin && end == begin + strspn(begin, "0123456789.") ? s : (double)NAN;
}

double calendar_seconds(const char *text)
{
    const int year = number(&text, 4), month = number_after(&text, '-', 2),
              day = number_after(&text, '-', 2);
    const char *const time = text + (*text == 'T' ? 1 : strspn(text, " "));
    int hour = 0, minute = 0;
    double second = 0;
    if (time > text && *time >= '0' && *time <= '9') {
        text = time;
        hour = number(&text, 2);
        minute = number_after(&text, ':', 2);
        second = seconds_after(&text);
    }
    const double zone = zone_seconds(text);
    if (isnan(zone) || year < 1583 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 61))
        return (double)NAN;
    return 86400.0 * (double)days_since_1970(year, month, day) + 3600.0 * hour + 60.0 * minute +
           second - zone;
}
