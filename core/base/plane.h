/* Fields of doubles, such as what a raster has, which together may be larger than main memory: large ones lie in a file
 * without a name, whose pages the system brings in when they are touched, and may take back. */
#ifndef SHOAL_PLANE_H
#define SHOAL_PLANE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/sha256.h"

/* Room for nx x ny numbers, all 0; free with plane_free. The file is in TMPDIR, or else in /var/tmp; where there is no room
 * for it, main memory is taken. Fails where that has no room either, naming what it was for. */
enum err plane_new(const char *what, size_t nx, size_t ny, double **p);
void plane_free(double *p); /* accepts NULL */

/* For loops over planes, in any thread: so many more numbers have been looked at, or set. From time to time what main memory
 * has of files' planes is given back; numbers stay, and so do pointers. */
void planes_touched(size_t numbers);

/* All of it is given back: nobody looks at planes for a while. So is main memory that was freed, and kept for more. */
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
