/* --start: a date and time in ISO 8601. */
#include "core/options/run_config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct date_time {
    int year, month, day, hour, minute, second;
};

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* n digits and the character after them; 0 if they are missing. */
static int take_digits(const char **text, int n, const char *behind, int *value)
{
    *value = 0;
    for (int k = 0; k < n; k++, (*text)++) {
        if (!isdigit((unsigned char)**text))
            return 0;
        *value = 10 * *value + (**text - '0');
    }
    if (!strchr(behind, **text)) /* the text may end after any of them */
        return 0;
    *text += **text != '\0';
    return 1;
}

static int read_moment(const char *text, struct date_time *m)
{
    const int only_day = strlen(text) == strlen("2026-11-22");
    *m = (struct date_time){.month = 1, .day = 1};
    if (!take_digits(&text, 4, "-", &m->year) || !take_digits(&text, 2, "-", &m->month) ||
        !take_digits(&text, 2, "T t", &m->day))
        return 0;
    if (!only_day &&
        (!take_digits(&text, 2, ":", &m->hour) || !take_digits(&text, 2, ":Zz", &m->minute)))
        return 0;
    if (isdigit((unsigned char)*text) && !take_digits(&text, 2, "Zz", &m->second))
        return 0;
    return !*text && m->month >= 1 && m->month <= 12 && m->day >= 1 &&
           m->day <= days_in(m->year, m->month) && m->hour < 24 && m->minute < 60 && m->second < 60;
}

/* Calendars before 1583 differ, and readers disagree about them. */
static enum err set_moment(const struct option *o, void *settings, const char *text)
{
    char kept[MOMENT_LENGTH];
    struct date_time m;
    if (!read_moment(text, &m))
        FAIL(USAGE,
             "'%s': expected date and time in UTC, such as 2026-11-22T06:00: subtract another time "
             "zone's offset",
             text);
    if (m.year < 1583)
        FAIL(USAGE, "'%s': expected the year 1583 or later", text);
    snprintf(kept, sizeof kept, "%04d-%02d-%02dT%02d:%02d:%02d", m.year % 10000, m.month % 100,
             m.day % 100, m.hour % 100, m.minute % 100, m.second % 100);
    return option_store_text(o, settings, kept);
}

const struct option_type option_moment = {option_reset_text, set_moment, option_format_text,
                                          .file = NULL};
