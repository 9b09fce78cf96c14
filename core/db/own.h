/* The database that measurements are written to. */
#ifndef SHOAL_DB_OWN_H
#define SHOAL_DB_OWN_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* The tuning database to write to: paths_database's, but never an installation's, which is read
 * only. For an installation it is the user's own, which begins as a copy of the installed one and
 * receives what later installations add. */
enum err db_own(char path[PATH_LENGTH]);

#endif
