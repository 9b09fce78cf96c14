/* Fields of doubles, such as those of a raster, which together may be larger than main memory: large ones are in a
 * file without a name, mapped into memory, whose pages the system loads when they are used. */
#ifndef SHOAL_PLANE_H
#define SHOAL_PLANE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/sha256.h"

/* Room for nx x ny numbers, all 0; free with plane_free. The file is in TMPDIR, or else in /var/tmp; if there is no room
 * for it, the field is in main memory. If there is none of that either, fails with a message that names `what`. */
enum err plane_new(const char *what, size_t nx, size_t ny, double **p);
void plane_free(double *p); /* accepts NULL */

/* Where other processes of this host find a plane that is in a file. */
struct plane_loan {
    size_t numbers; /* of the plane; 0: there is none */
    long process;
    int file;                 /* as that process has it open; -1: the plane is in main memory */
    unsigned long disk, node; /* of the file */
    size_t bytes;             /* of the file */
};

/* Whoever changes its numbers lends it again. `p` may be null: nothing is lent. */
struct plane_loan plane_lend(const double *p);

/* The same plane in this process, to be read only, while the lender has not freed it: the same pages of memory and of
 * the disk. Each process frees its own, in any order. False, and *p is null: nothing is lent, or this process may not open the file. */
int plane_borrow(const struct plane_loan *l, double **p);

/* Reports progress of a loop over planes, in any thread: so many more numbers read or set. Releases mapped pages now
 * and then; numbers and pointers stay valid. */
void planes_touched(size_t numbers);

/* Begins a time of loops in which threads take and free memory by turns: what is freed is kept for
 * reuse, because each page given back or taken anew makes all threads wait for the system. */
void planes_begin(void);

/* Releases all mapped pages, for a time without loops over planes, and freed memory that was kept for reuse. */
void planes_rest(void);

/* The same as planes_touched within a loop over the numbers of a plane, in order. */
static inline void plane_passes(size_t k)
{
    enum { OFTEN = 1 << 16 };
    if (k % OFTEN == OFTEN - 1)
        planes_touched(OFTEN);
}

/* As sha256_update. */
void plane_hash(struct sha256 *sum, const double *p, size_t numbers);

/* From how many bytes on a new plane lies in a file. */
void planes_in_files_from(size_t bytes);

#endif
