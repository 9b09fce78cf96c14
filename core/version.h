/* Which Shoal this is. */
#ifndef SHOAL_VERSION_H
#define SHOAL_VERSION_H

extern const char shoal_version[], shoal_commit[];

#endif
