/* Checkpoints: the whole state of a run in a file, from which another run continues with the same
 * bits. */
#ifndef SHOAL_CHECKPOINT_H
#define SHOAL_CHECKPOINT_H

#include "core/run/result.h"

struct checkpoint;

/* What a run provides for its checkpoints; thread and result are null if it has no output. */
struct checkpoint_setup {
    struct sim *sim;
    const struct problem *problem;
    struct job_queue *background; /* the thread that writes the output */
    struct result *result;
    const char *command_line; /* for the file's attributes */
};

/* Prepares FILE.nc.checkpoint.nc for the run's --output FILE.nc; without an output *out is null.
 * What the setup points to must remain valid. */
enum err checkpoint_open(struct checkpoint **out, const struct checkpoint_setup *setup);

/* Writes the present state, between two passes, over the last checkpoint, after the other thread
 * has written its pending output; before that, copies all rows of the output to FILE.nc.records.nc.
 * Fails with ERR_BROKEN, and writes nothing, if the state is not finite. */
enum err checkpoint_write(struct checkpoint *c);

const char *checkpoint_path(const struct checkpoint *c);

/* The time of the last checkpoint, s; NaN if this run has written none, or c is null. */
double checkpoint_kept(const struct checkpoint *c);

void checkpoint_close(struct checkpoint **c); /* accepts a null *c */

/* Deletes FILE.nc.records.nc once the output is in place. Accepts null. */
void checkpoint_drop_records(const struct checkpoint *c);

/* Sets an unstepped sim to a checkpoint's state, and returns how many rows the output had. Fails
 * with ERR_INPUT if the file is damaged or not a checkpoint, with ERR_USAGE if it comes from
 * another problem or method, which the message names; the sim is then untouched, or unusable. */
enum err checkpoint_restore(struct sim *s, const struct problem *p, const char *path,
                            size_t rows[SERIES]);

/* With --scheme auto: measurements and timing must not change a run that resumes from a
 * checkpoint, or may be resumed. So it takes the scheme of its checkpoint, one scheme makes all
 * steps, and in fast mode early exit, whose kernels may round differently, is not timed. A sparse
 * domain never times it. */
enum err checkpoint_settle_scheme(struct config *c);

/* Begins the output with the rows that it had at the checkpoint `path`; if they are unavailable
 * the output begins there, in a new file. Fails with ERR_INPUT or ERR_USAGE if it would replace
 * a file that has more. Does nothing if `path` is "". */
enum err checkpoint_restore_rows(struct result *r, const struct checkpoint *c, const char *path,
                                 const size_t rows[SERIES]);

#endif
