/* Merges two databases. */
#ifndef SHOAL_DB_JOIN_H
#define SHOAL_DB_JOIN_H

#include "core/base/err.h"

/* Adds what another database has: members of its manifests, rows of its tables, published tables that are missing. Records of both stay, and
 * the next one has the heads of both for parents: the order of unions does not matter. What one side retired
 * stays out. Fails with ERR_INPUT, and says which, where they say different things of one name; what was
 * added until then stays, and does no harm. */
enum err db_join(const char *folder, const char *other);

#endif
