/* This program's version. */
#ifndef SHOAL_VERSION_H
#define SHOAL_VERSION_H

/* `shoal_committed`: its date, UTC. Both are "unknown" without git. */
extern const char shoal_version[], shoal_commit[], shoal_committed[];

#endif
