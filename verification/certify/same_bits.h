/* Small flows that run twice, the second time with a variation, and must give the same bits. */
#ifndef SHOAL_SAME_BITS_H
#define SHOAL_SAME_BITS_H

#include "verification/certify/certify.h"
#include "verification/run/simulate.h"

/* Every requested scheme, in both precisions: each flow unchanged, and in each variation. */
enum err witness_compare(struct certifying *c, enum backend_kind b, const struct comparison *how,
                         struct answer *a);

/* Every kernel of the scheme that is tuned in a block of about that size; on a GPU some take the next
 * width that is possible. With `ending`, only those whose names end so. */
void witness_blocks(struct config *c, struct block b, const char *ending);

/* The first flow: of water, rough ground with dry places, a dam break, friction; of another system a basin. With
 * another kind of edge on each side. */
enum err witness_flow(struct scene *s, const struct system *system, int nx, int ny);

/* That of water. */
enum err witness_shore(struct scene *s, int nx, int ny);

#endif
