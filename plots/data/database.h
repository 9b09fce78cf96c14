/* The tuning database as tables of SQL: tuning_db/README.md, "Queries", lists them. A table gets its rows from the
 * text files when a query first names it. */
#ifndef SHOAL_DATABASE_H
#define SHOAL_DATABASE_H

#include "plots/data/devices.h"
#include "plots/data/sql.h"

/* Of the device whose first environment this is, or of all; `all` must stay. */
enum { EVERY_DEVICE = -1 };
enum err database_open(struct database **opened, const struct plot_devices *all, int which);
void database_close(struct database *d); /* accepts NULL */

/* sql_ask, once the tables that the query names have their rows. */
enum err database_ask(struct database *d, const char *query, const struct sql_names *names,
                      struct rowset *a);
size_t database_place(const struct database *d); /* sql_place */

/* Which tables and views there are, with their columns. */
enum err database_tables(struct database *d, struct rowset *a);

/* Keeps what a query that has been asked answers as a table. */
enum err database_keep(struct database *d, const char *table, const char *query);
enum err database_forget(struct database *d, const char *table);

/* Does a query name a table that devices measured? Then its answer differs from device to device. */
int database_measured(const char *query);

/* The experiment whose measured rows a query asks for first; "" for none. */
void database_experiment(const char *query, char name[DB_NAME + 1]);

#endif
