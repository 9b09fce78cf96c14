#include "core/base/calendar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Days from the beginning of 1970 to a date. A year that begins in March has its odd day at the end. */
static long days_since_1970(int year, int month, int day)
{
    const long y = month > 2 ? year : year - 1L, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* What a zone adds to UTC, s: "Z", "UTC", "+01:00", "-6:00", "+0530", or nothing; NAN for another text. */
static double zone_seconds(const char *text)
{
    static const char *const utc[] = {"", "Z", "z", "UTC", "utc", "GMT"};
    int hours, minutes = 0, end = 0;
    text += strspn(text, " ");
    for (size_t k = 0; k < sizeof utc / sizeof *utc; k++)
        if (strcmp(text, utc[k]) == 0)
            return 0;
    if (*text != '+' && *text != '-')
        return (double)NAN;
    const double sign = *text == '-' ? -1 : 1;
    const size_t digits = strspn(text + 1, "0123456789");
    const int alone =
        digits == 4 ? sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &end) == 2
                    : digits > 0 && digits <= 2 && sscanf(text + 1, "%2d%n", &hours, &end) == 1;
    if (!alone)
        return (double)NAN;
    text += 1 + end;
    if (digits <= 2 && *text == ':' && strspn(text + 1, "0123456789") == 2 &&
        sscanf(text + 1, "%2d", &minutes) == 1)
        text += 3;
    return *text || hours > 14 || minutes > 59 ? (double)NAN
                                               : sign * (3600.0 * hours + 60.0 * minutes);
}

double calendar_seconds(const char *text)
{
    int year, month, day, hour = 0, minute = 0, end = 0, more = 0;
    double second = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3)
        return (double)NAN;
    text += end;
    if ((*text == 'T' || *text == ' ') &&
        sscanf(text + 1, "%2d:%2d%n", &hour, &minute, &more) == 2) {
        text += 1 + more;
        if (*text == ':' && sscanf(text + 1, "%9lf%n", &second, &more) == 1)
            text += 1 + more;
    }
    const double zone = zone_seconds(text);
    if (isnan(zone) || year < 1583 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 61))
        return (double)NAN;
    return 86400.0 * (double)days_since_1970(year, month, day) + 3600.0 * hour + 60.0 * minute +
           second - zone;
}
