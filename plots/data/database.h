/* The tuning database as tables of SQL: tuning_db/README.md, "Queries", lists them. A table gets its rows from the
 * text files when a query first names it. */
#ifndef SHOAL_DATABASE_H
#define SHOAL_DATABASE_H

#include "plots/data/devices.h"
#include "plots/data/sql.h"

/* For the device whose first environment this is, or for all; `all` must stay valid. */
enum { EVERY_DEVICE = -1 };
enum err database_open(struct database **opened, const struct plot_devices *all, int which);
void database_close(struct database *d); /* accepts NULL */

/* sql_ask, after loading the tables that the query names. */
enum err database_ask(struct database *d, const char *query, const struct sql_names *names,
                      struct rowset *a);
size_t database_place(const struct database *d); /* sql_place */

/* Lists tables and views, with their columns. */
enum err database_tables(struct database *d, struct rowset *a);

/* Stores the answer of a query as a table. */
enum err database_keep(struct database *d, const char *table, const char *query);
enum err database_forget(struct database *d, const char *table);

/* Does a query name a table of measurements? Then its answer depends on the device. */
int database_measured(const char *query);

/* The first experiment whose measured rows a query names; "" for none. */
void database_experiment(const char *query, char name[DB_NAME + 1]);

#endif
