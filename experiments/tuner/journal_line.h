/* The lines of a journal: fields between tabs, the last one a check sum of the others, so that damage
 * is found line by line. */
#ifndef SHOAL_JOURNAL_LINE_H
#define SHOAL_JOURNAL_LINE_H

#include "experiments/tuner/trial.h"

/* The longest line holds every timing a trial can have. */
enum { JOURNAL_LINE = 2048 + 16 * MOST_TIMINGS };

struct journal_line {
    char text[JOURNAL_LINE];
    size_t used; /* JOURNAL_LINE: it did not fit */
};

void journal_line_add(struct journal_line *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* All but the check sum of a trial's line, with its timings from number `first` up to `end`. Every
 * number reads back as the same one. */
void journal_line_trial(struct journal_line *l, const struct trial *t, int first, int end);

/* Adds the check sum and the newline. False where the line is too long. */
int journal_line_end(struct journal_line *l);

/* Takes the check sum off a line of n bytes; false where it does not fit the rest. */
int journal_line_verify(char *text, size_t n);

/* Splits at tabs; false unless there are `count` fields. */
int journal_line_split(char *text, char **field, int count);

/* With how many bytes all lines of the same trial begin, as no others do; 0: it is no trial's line. */
size_t journal_line_name(const char *text);

/* Adds what a verified line tells, which it splits, to what is known of a trial; false, with nothing
 * added, where it makes no sense. */
int journal_line_read(char *text, struct trial *t);

#endif
