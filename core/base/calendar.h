/* Dates, in UTC and the Gregorian calendar. */
#ifndef SHOAL_CALENDAR_H
#define SHOAL_CALENDAR_H

/* "2026-11-22T06:00:00", "2026-11-22 6:00:00.0 +01:00" or "1970-1-1" in seconds since 1970 began,
 * in UTC. NAN if the text is not a date, or the year is before 1583. */
double calendar_seconds(const char *text);

#endif
