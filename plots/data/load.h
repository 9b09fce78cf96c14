/* Loads rows into SQL tables. */
#ifndef SHOAL_LOAD_H
#define SHOAL_LOAD_H

#include "experiments/tuner/seeds.h"
#include "plots/data/database.h"

struct database {
    struct sql *sql;
    const struct plot_devices *all;
    const struct plot_device *device; /* its environments, of all */
    int devices;
    void *loaded; /* words of queries whose tables are here: a tree of tsearch(3) */
};

/* Runs a statement, formatted as by printf. */
enum err database_run(struct database *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int database_has(const struct database *d, const char *table);

/* A text as an SQL name: '_' for all but letters and digits. */
enum { TABLE_NAME = 128 };
void table_name(const char *text, char name[TABLE_NAME]);

/* An SQL table into which text tables are read: its own columns, which say where a row is from,
 * then those of the files. */
enum { TEXT_COLUMNS = 128, OWN_COLUMNS = 8 };
struct text_table {
    struct database *d;
    char name[TABLE_NAME];
    const char *own; /* its own columns, separated by ", "; "" for none */
    char *column[TEXT_COLUMNS];
    int columns;
    const struct plot_device *device; /* whose sessions the rows name; NULL: nobody's */
};

/* Reads a file and its parts: the columns, and where `own` is not NULL the rows, with these values
 * for its own columns. "-" is NULL, and numbers are numbers except in the columns of words. A
 * missing file has neither columns nor rows. Fails with ERR_INPUT, file and line, for a malformed
 * row. */
enum err text_table_read(struct text_table *t, const char *path, const struct sql_value *own);

/* Adds columns from a line of names, separated by tabs, that the table lacks. */
enum err text_table_columns(struct text_table *t, const char *names);
void text_table_free(struct text_table *t);

/* The loaders of the tables that queries name; one file each, or two similar ones. */
enum err load_measured(struct database *d, const char *table);
enum err load_published(struct database *d, const char *table);
enum err load_kernels(struct database *d);
enum err load_replay(struct database *d, const char *table, int nx);
enum err load_predicted(struct database *d);
enum err load_certificate(struct database *d);
enum err load_case(struct database *d, const char *table, const char *name, int nx);

/* Rows of a kernel with one text and one set of flags, at one size: the stored part of its space of
 * blocks. */
struct stored_space {
    const struct kernel *kernel;
    const struct plot_device *device;
    enum precision precision;
    int nx, ny;
    struct db_group group;
    const char *flow, *flags; /* valid as long as it is used */
    char file[DB_FILE + 1];   /* relative to the database */
};
typedef enum err use_space(void *context, const struct stored_space *s);

/* From `rows`, which follows FROM: "blocks WHERE ...", or newest_kernel_rows. */
enum err stored_spaces(struct database *d, const char *rows, use_space *use, void *context);

/* The blocks that a seeded search of it begins with. */
enum err stored_seeds(const struct database *d, const struct stored_space *s,
                      struct block seed[MOST_SEEDS], int *count);

#endif
