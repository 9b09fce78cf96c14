/* Loading the tables of SQL: what brings rows into them. */
#ifndef SHOAL_LOAD_H
#define SHOAL_LOAD_H

#include "plots/data/database.h"

struct database {
    struct sql *sql;
    const struct plot_devices *all;
    const struct plot_device *device; /* its environments, of all */
    int devices;
};

/* Runs a statement made as printf does. */
enum err database_run(struct database *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int database_has(const struct database *d, const char *table);

/* A text as it is a name in SQL: '_' for all that is no letter or digit. */
enum { TABLE_NAME = 128 };
void table_name(const char *text, char name[TABLE_NAME]);

/* A table of SQL that text tables are read into: columns of its own, which say where a row is from, then
 * those that the files name. */
enum { TEXT_COLUMNS = 128, OWN_COLUMNS = 8 };
struct text_table {
    struct database *d;
    char name[TABLE_NAME];
    const char *own; /* its own columns, separated by ", "; "" for none */
    char *column[TEXT_COLUMNS];
    int columns;
    const struct plot_device *device; /* whose sessions the rows name; NULL: nobody's */
};

/* Reads a file and its parts: the columns, and where `own` is not NULL the rows, with these values for its own
 * columns. "-" is nothing, a number is a number but in the columns that hold words. One that is not there has
 * neither. Fails with ERR_INPUT, file and line, for a row that is malformed. */
enum err text_table_read(struct text_table *t, const char *path, const struct sql_value *own);

/* Adds the columns that a line of names, separated by tabs, has and the table has not. */
enum err text_table_columns(struct text_table *t, const char *names);
void text_table_free(struct text_table *t);

/* What brings rows into a table that a query names; one file each, or two alike. */
enum err load_measured(struct database *d, const char *table);
enum err load_published(struct database *d, const char *table);
enum err load_kernels(struct database *d);
enum err load_replay(struct database *d, const char *table, int nx);
enum err load_predicted(struct database *d);
enum err load_certificate(struct database *d);
enum err load_case(struct database *d, const char *table, const char *name, int nx);

/* A kernel's complete space as it is stored: rows of `blocks`. */
struct stored_space {
    const struct kernel *kernel;
    const struct plot_device *device;
    enum precision precision;
    int nx, ny;
    struct db_group group;
    char file[DB_FILE + 1]; /* relative to the database */
};
typedef enum err use_space(void *context, const struct stored_space *s);
enum err stored_spaces(struct database *d, int nx, use_space *use, void *context); /* nx 0: all */

#endif
