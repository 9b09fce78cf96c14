/* Which records are shown, and the format of their times. */
#ifndef SHOAL_RENDER_TIMES_H
#define SHOAL_RENDER_TIMES_H

#include "core/netcdf/read_records.h"

/* Indices of records, ascending. */
struct chosen {
    size_t *record;
    int count;
    int decimals; /* of seconds, for their times to differ */
};

/* Chooses records: those nearest to the times of `list` ("10,20.5" in s; "last"), or where that is ""
 * every n-th one from the first on, and the last. Fails with ERR_USAGE where a time lies beyond those of
 * the file; the message does not name the option. Free with chosen_free. */
enum err chosen_find(struct chosen *c, const struct ncrecords *r, const char *list, int every);
void chosen_free(struct chosen *c); /* accepts a zeroed or freed struct */

enum { TIME_TEXT = 48 };

/* "0:02:05", "0:00:01.25" */
void time_text(double t, int decimals, char text[TIME_TEXT]);

#endif
