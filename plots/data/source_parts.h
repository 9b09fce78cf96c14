/* What sources of figures share. */
#ifndef SHOAL_SOURCE_PARTS_H
#define SHOAL_SOURCE_PARTS_H

#include "plots/data/source.h"

/* Reads a table of the database: comments, a line of columns' names, rows. A file that is not there
 * gives a table without columns. Fails with ERR_INPUT, file and line, where a line has other cells than
 * the names want, or an empty one. */
enum err source_file_read(const char *path, struct frame *f);

/* The line that a row of such a table stands in. */
int source_file_line(const char *path, size_t row);

/* Adds the column that "NAME: EXPRESSION" describes, and the one of "NAME: COLUMN | setting=value".
 * Fail with ERR_USAGE. */
enum err source_add_computed(struct frame *f, const char *text);
enum err source_add_relative(struct frame *f, const char *text);

/* Adds the columns of the published table that "WORK/TABLE: COLUMN" names, to each row from the one there
 * that has the same text in COLUMN. Fails with ERR_USAGE. */
enum err source_add_published(struct frame *f, const char *database, const char *text);

/* Reads the table that WORK/TABLE names; `file`, of PATH_LENGTH, is where it lies in the database. Fails
 * with ERR_USAGE. */
enum err source_read_published(const char *database, const char *name, char *file, struct frame *f);

/* The columns of a measured table that say which point a row is of: those before `run`, where `rows`
 * is set before `session`, but without `run`; how many, -1 where there are more than `most` or the
 * table was not measured. */
int source_point_columns(const struct frame *f, int rows, int *column, int most);

#endif
