/* What a launcher of MPI, such as mpirun, has made of this process, and how it joins the others. */
#ifndef SHOAL_LAUNCHED_H
#define SHOAL_LAUNCHED_H

#include "core/device/ranks.h"

/* How many processes a launcher has started, this one among them, and the variable that says so; 1 where none has, or
 * it does not tell. */
int launched_count(const char **variable);

/* Of several that have joined and end alike: is this the one that prints it? */
int launched_speaks(void);

/* Joins the others, once. Fails with ERR_ABSENT where this build has no MPI, or another one than the launcher's. */
enum err launched_join(struct ranks **out, double patience);

/* Leaves them, where it has joined, when all is printed: a launcher may end those that are left as soon as one has ended
 * with an error. */
void launched_leave(enum err e);

/* "Open MPI v4.1.4 (build/shoal-mpi.so)", or why there is none; for `shoal info`. False where there is none. */
int launched_describe(char *text, size_t n);

#endif
