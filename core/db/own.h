/* The database that measurements are written to. */
#ifndef SHOAL_DB_OWN_H
#define SHOAL_DB_OWN_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* The tuning database to write to: what paths_database says, but never an installation's, to which nothing is
 * written. There it is the user's own, which begins as a copy of it, and to which is added what a later
 * installation brings. */
enum err db_own(char path[PATH_LENGTH]);

#endif
