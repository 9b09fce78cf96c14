/* Rows of a table that belong together, and what is known of each such group. */
#ifndef SHOAL_FRAME_GROUP_H
#define SHOAL_FRAME_GROUP_H

#include "plots/data/frame.h"

/* The columns that a list names, separated by blanks. How many there are, at least one; fails with
 * ERR_USAGE. */
enum { GROUP_COLUMNS = 16 };
struct frame_columns {
    int at[GROUP_COLUMNS], count;
};
enum err frame_columns(const struct frame *f, const char *names, struct frame_columns *columns);

/* Rows with equal texts in some columns. Group g has the rows row[first[g]] to row[first[g + 1] - 1],
 * in the table's order; groups are in the order in which they first appear. */
struct frame_groups {
    size_t *row, *first, count;
};

/* Of the rows for which the conditions hold. */
enum err frame_groups_create(const struct frame *f, const struct frame_columns *by,
                             const struct frame_where *where, struct frame_groups *g);
void frame_groups_free(struct frame_groups *g); /* zeroed is fine */

/* The numbers of a column in a group: how many, copied to x, which has room for all its rows. */
size_t frame_group_numbers(const struct frame *f, const struct frame_groups *g, size_t group,
                           int column, double *x);

/* Makes `out` a table of the same columns in which the rows that agree in `columns` are one. What
 * they agree in stays as it is, numbers become their median (the upper one of two), and other texts
 * "-"; cells that are not known do not count. */
enum err frame_medians(const struct frame *f, const char *columns, struct frame *out);

#endif
