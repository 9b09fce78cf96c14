/* Tables of kernels in the tuning database, as figures take them from a device. */
#ifndef SHOAL_KERNEL_TABLES_H
#define SHOAL_KERNEL_TABLES_H

#include "core/db/tuning_db.h"
#include "plots/data/source.h"

/* What is stored of a kernel at one size in one precision: rows of equal flags and source. */
struct kernel_rows {
    const struct kernel *kernel;
    struct db_place place;
    char file[DB_FILE + 1]; /* relative to the database */
    char started[DB_TIME];  /* when the latest session that rows are from began */
    int present;            /* they are of the text that the kernel has now */
    int alone;              /* they are all of one session */
    /* For WHOLE_SPACES: */
    int complete;       /* (nearly) no block of the space is missing */
    int listed, absent; /* blocks of the space; of these, without a row */
    struct db_group group;
};

/* Which rows of several texts of a kernel are better: those of the text of now, or all of a space, as a few
 * blocks show nothing of the others. */
enum kernel_rows_wanted { ROWS_OF_NOW, WHOLE_SPACES };

/* In the order of the registry, then by size and precision. */
struct kernel_tables {
    struct kernel_rows *at;
    int count;
};

/* Reads what a [data] section asks for by its keys kernel, nx, precision and flags (plots/README.md).
 * Of several sources or cases the one that is wanted, then the one that the kernel's text has now, then
 * the latest. Fails with
 * ERR_INPUT, file and line, where a key asks for what cannot be or a row is malformed; that there is
 * nothing is no error. */
enum err kernel_tables_read(struct kernel_tables *all, const struct source_request *r,
                            enum kernel_rows_wanted wanted);
void kernel_tables_free(struct kernel_tables *all); /* zeroed is fine */

/* When a session of the request's device began; "": its manifest has no such session. */
const char *kernel_tables_started(const struct source_request *r, const char *session);

/* Fills in where a figure's table is from: file, sessions, texts, and how much of its spaces was tried. */
void kernel_tables_describe(const struct kernel_tables *all, const struct source_request *r,
                            struct plot_table *t);

/* A source whose frame, with these columns, is made table by table. */
typedef enum err kernel_rows_add(struct frame *f, const struct source_request *r,
                                 const struct kernel_rows *rows);
enum err kernel_tables_frame(const struct source_request *r, struct plot_table *t,
                             enum kernel_rows_wanted wanted, const char *columns,
                             kernel_rows_add *add);

/* Adds a row to a frame: of each column the text, or, where that is NULL, the number. */
enum err kernel_tables_add(struct frame *f, const char *const *text, const double *number);

/* What the thesis chose for a kernel (Amundsen 2014, table 4.1). */
struct thesis_block {
    char gpu[16]; /* "GTX480"; "reference": before tuning */
    struct block block;
};

/* Fills in the published choices for a kernel, at most `most`; how many. 0 where the thesis has no such
 * kernel, or the database not its table; -1, with an error set, where that cannot be read. */
int thesis_blocks(const char *kernel, const char *database, struct thesis_block *out, int most);

#endif
