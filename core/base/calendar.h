/* Dates, in UTC and the Gregorian calendar. */
#ifndef SHOAL_CALENDAR_H
#define SHOAL_CALENDAR_H

/* "2026-11-22T06:00:00", "2026-11-22 6:00:00.0 +01:00", "1970-1-1": s since the beginning of 1970, in UTC. NAN where the text
 * is no date, or one of a year before 1583. */
double calendar_seconds(const char *text);

#endif
