/* Processes of an MPI launcher, such as mpirun: how this one joins the others. */
#ifndef SHOAL_LAUNCHED_H
#define SHOAL_LAUNCHED_H

#include "core/device/ranks.h"

/* How many processes a launcher has started, including this one; 1 if none has, or it does not say. */
int launched_count(void);

/* Of several joined processes with the same result: should this one print it? */
int launched_speaks(void);

/* For a command that runs in one process: fails if a launcher has started several. `divides`: it
 * has --parts and --devices. */
enum err launched_refuse(const char *command, int divides);

/* Joins the others, once. Fails with ERR_ABSENT if this build has no MPI, or another one than the
 * launcher's. */
enum err launched_join(struct ranks **out, double patience);

/* Leaves them, if it has joined, after all output: a launcher may end the others as soon as one
 * ends with an error. */
void launched_leave(enum err e);

/* "Open MPI v4.1.4 (build/shoal-mpi.so)", or why there is none; for `shoal info`. False if there is
 * none. */
int launched_describe(char *text, size_t n);

#endif
