/* Tables too large for one file: each measurement has a part of its own, NAME.SESSION.tsv; NAME.tsv
 * keeps the line of column names and the unsplit rows. */
#ifndef SHOAL_SPLIT_TABLES_H
#define SHOAL_SPLIT_TABLES_H

#include "core/db/tuning_db.h"

/* The parts of a table besides its own file, in byte order; none where it is not split. */
enum err db_parts_list(const char *path, struct db_list *parts);

/* The whole table: its file, then the rows of its parts. The caller frees it. */
enum err db_parts_text(const char *path, char **text);

/* Moves rows of sessions that have a part there, and of all sessions where the file has more than
 * `largest` bytes. The caller holds the lock. */
enum { DB_LARGEST_TABLE = 5000000 };
enum err db_parts_split(const char *path, size_t largest);

#endif
