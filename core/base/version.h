/* Which Shoal this is. */
#ifndef SHOAL_VERSION_H
#define SHOAL_VERSION_H

/* `shoal_committed`: when, UTC. Both of a commit are "unknown" without git. */
extern const char shoal_version[], shoal_commit[], shoal_committed[];

#endif
