/* Records that people add to measurements; they change no row. */
#ifndef SHOAL_ADD_RECORD_H
#define SHOAL_ADD_RECORD_H

#include "core/db/record.h"

/* Adds a record of a session, wherever in a database it is:
 * FOUND     ends one that did not end, with the rows that it has; enters when its commit was made, if git
 *           knows and the session does not
 * RETIRED   takes its rows out; without rows its record is about those that git has
 * DISOWNED  is about the rows that git has of it and that are not there
 * REMARK    says something
 * Fails with ERR_USAGE where there is no such session or nothing to be said that way. */
enum err db_settle(const char *folder, const char *session, enum db_record_kind kind,
                   const char *why);

/* Calls `each` with every session of a database that did not end. */
enum err db_unsettled(const char *folder, enum err (*each)(void *context, const char *session),
                      void *context);

#endif
