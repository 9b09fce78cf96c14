/* Which of the processes of a run are waiting as well: of those that do not answer in time, the one
 * to blame is one that nobody has heard of. */
#ifndef SHOAL_PRESENCE_H
#define SHOAL_PRESENCE_H

#include "core/device/transport.h"

struct presence;

/* `tag` is that of its parcels. Null if there is no memory. */
struct presence *presence_create(const struct transport *by, void *link, const struct crew *c,
                                 int tag);
void presence_destroy(struct presence *p); /* accepts NULL */

/* Tells the others that this process is waiting. */
void presence_tell(struct presence *p);

/* Hears which others are; at the time `now`, s. */
void presence_hear(struct presence *p, double now);

/* `whom`, or if that one has been heard since then, another that has not, if there is one. */
int presence_silent(const struct presence *p, int whom, double since);

#endif
