/* Checkpoints: the whole state of a run in a file, from which another run goes on with the same bits. */
#ifndef SHOAL_CHECKPOINT_H
#define SHOAL_CHECKPOINT_H

#include "core/run/result.h"

struct checkpoint;

/* What a run has for its checkpoints: thread and result are null where it has no output. */
struct checkpoint_setup {
    struct sim *sim;
    const struct problem *problem;
    struct job_queue *background; /* the thread that writes the output */
    struct result *result;
    const char *command_line; /* for the file's attributes */
};

/* Prepares FILE.nc.checkpoint.nc for the run's --output FILE.nc; without that *out is null. What the setup
 * points to must stay. */
enum err checkpoint_open(struct checkpoint **out, const struct checkpoint_setup *setup);

/* Writes the state as it is now, between two passes, over the last checkpoint, when the other thread has
 * written what it was given; before that, FILE.nc.records.nc gets all rows of the output. Fails with
 * ERR_BROKEN, and writes nothing, where the state is not finite. */
enum err checkpoint_write(struct checkpoint *c);

const char *checkpoint_path(const struct checkpoint *c);

/* The time of the one that is there, s; NaN where this run has written none, or c is null. */
double checkpoint_kept(const struct checkpoint *c);

void checkpoint_close(struct checkpoint **c); /* accepts a null *c */

/* Deletes FILE.nc.records.nc once the output is in its place. Accepts null. */
void checkpoint_drop_records(const struct checkpoint *c);

/* Puts a sim that has not stepped yet where a checkpoint was, and tells how many rows of the output there
 * were. Fails with ERR_INPUT where the file is damaged or none, with ERR_USAGE where it comes from another
 * problem or method, which the message names; the sim is then untouched, or of no more use. */
enum err checkpoint_restore(struct sim *s, const struct problem *p, const char *path,
                            size_t rows[SERIES]);

/* With --scheme auto, what measurements and timing decide must not change a run that goes on from a checkpoint, or may: it takes
 * the scheme of the checkpoint that it goes on from, and all steps are made by one scheme, in fast mode without the timing of
 * early exit, whose kernels may round otherwise. */
enum err checkpoint_settle_scheme(struct config *c);

/* Begins the output with the rows that it had at the checkpoint `path`; where they cannot be had it begins
 * there, in a new file. Fails with ERR_INPUT or ERR_USAGE where a file would be replaced that has more. Does
 * nothing where `path` is "". */
enum err checkpoint_restore_rows(struct result *r, const struct checkpoint *c, const char *path,
                                 const size_t rows[SERIES]);

#endif
