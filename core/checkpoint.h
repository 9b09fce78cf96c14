/* Checkpoints: the whole state of a run in a file, from which another run goes on with the same bits. */
#ifndef SHOAL_CHECKPOINT_H
#define SHOAL_CHECKPOINT_H

#include "core/problem.h"

struct checkpoint;

/* Prepares FILE.nc.checkpoint.nc for the run's --output FILE.nc; without that *out is null. To be called
 * when all that the sim keeps is known; the command line is for the file's attributes. */
enum err checkpoint_open(struct checkpoint **out, struct sim *s, const struct problem *p,
                         const char *command_line);

/* Writes the state as it is now, between two passes, over the last checkpoint. Fails with ERR_BROKEN, and
 * writes nothing, where the state is not finite. */
enum err checkpoint_write(struct checkpoint *c);

const char *checkpoint_path(const struct checkpoint *c);
void checkpoint_close(struct checkpoint **c); /* accepts a null *c */

/* Puts a sim that has not stepped yet where a checkpoint was. Fails with ERR_INPUT where the file is
 * damaged or none, with ERR_USAGE where it comes from another problem or method, which the message names;
 * the sim is then untouched, or of no more use. */
enum err checkpoint_restore(struct sim *s, const struct problem *p, const char *path);

#endif
