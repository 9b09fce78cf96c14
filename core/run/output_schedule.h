/* When a run pauses for output: each kind at the first step boundary at or after each multiple of
 * its own interval. */
#ifndef SHOAL_OUTPUT_SCHEDULE_H
#define SHOAL_OUTPUT_SCHEDULE_H

enum due { DUE_MAP, DUE_BALANCE, DUE_SECTIONS, DUE_CHECKPOINT, DUES };

struct schedule {
    double every[DUES], next[DUES]; /* s of simulated time; next is infinite if nothing is due */
};

/* Nothing is ever due. */
void schedule_clear(struct schedule *s);

/* From now on `what` is due every `every` seconds, first at the time `first`. NAN: never. */
void schedule_set(struct schedule *s, enum due what, double every, double first);

/* The earliest time at which something is due: where to pause. */
double schedule_next(const struct schedule *s);

/* Is `what` due at t? If so, its next time is the first multiple after t. */
int schedule_due(struct schedule *s, enum due what, double t);

/* The first multiple of `every` after t; where doubles are coarser, the next double. */
double schedule_after(double every, double t);

#endif
