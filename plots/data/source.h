/* Where the data of a figure come from: tables made from the tuning database, for one device. */
#ifndef SHOAL_SOURCE_H
#define SHOAL_SOURCE_H

#include "core/db/tuning_db.h"
#include "experiments/experiment.h"
#include "plots/data/frame.h"

/* An environment of the database: a device as it was measured. */
struct plot_device {
    char device[DB_NAME + 1], environment[DB_NAME + 1];
    char folder[PATH_LENGTH]; /* of the environment */
    char latest[32];          /* when its last session began, UTC */
    enum backend_kind backend;
    struct db_manifest manifest;
};

/* All environments of the database, GPUs first, sorted by device, the one measured last first: figures are drawn
 * for a device's first one, the others are what it was before a driver or compiler changed. */
struct plot_devices {
    char database[PATH_LENGTH];
    struct plot_device *at;
    int count;
};
/* Fails with ERR_INPUT where there is no database. */
enum err plot_devices_read(struct plot_devices *all);
void plot_devices_free(struct plot_devices *all);

/* A short text for people: "NVIDIA H200" */
const char *plot_device_title(const struct plot_device *d);

/* The tables of an experiment for a device: one for each of its [data] sections, under the section's
 * `name` (the first one's may be left out: then it is called "data"). */
enum { PLOT_TEXTS = 16 };
struct plot_table {
    char name[64];
    struct frame frame;
    char file[PATH_LENGTH]; /* what it was read from, relative to the database, for people */
    char session[256];      /* sessions that rows are from, separated by blanks, the latest first */
    /* Of rows of kernels: which texts they were compiled from, each once; is one of them not the text that
     * the kernel has now; how many blocks the spaces have, and how many of these were not tried. */
    struct plot_text {
        char file[64], flags[DB_FLAGS + 1], source[DB_HASH + 1];
    } text[PLOT_TEXTS];
    int texts, stale, listed, absent;
};

/* Adds what another table has of them. */
void plot_texts_add(struct plot_table *t, const struct plot_table *more);
int plot_texts_mixed(const struct plot_table *t); /* has a file two texts with equal flags? */
void plot_texts_name(const struct plot_table *t, char *names,
                     size_t room); /* "rk.cu 6e3abed5d55c" */

struct plot_tables {
    struct plot_table *at;
    int count;
    int present;       /* the device has rows for each of them */
    char missing[512]; /* if not: what is not there, and the command that measures it */
};

/* What can stand in `from =`, and the columns it has: plots/README.md.
 *   from = measured [EXPERIMENT]     rows that `shoal measure` entered, of its own or another experiment
 *   from = blocks                    every block of kernels
 *   from = kernels                   one row for each kernel, size and precision
 *   from = predicted                 the guided search's predictions
 *   from = replay                    how searches come closer to the best block
 *   from = published WORK/TABLE      a published table; the same for every device
 *   from = case NAME                 the initial state of a case, from its formulas; likewise
 *   from = certificate WHAT          what devices have confirmed of the certificate's bits; likewise
 * With device NULL a table has the rows of every device's first environment that has some. The columns device and
 * device_title say which, also where there is one; published tables and cases have none.
 * `beside = WORK/TABLE: COLUMN` adds the columns of a published table, matched by COLUMN.
 * `where` keeps rows (conditions of frame.h). Then, in the order of the file, each adds a column:
 *   column = NAME: EXPRESSION                 of the row's cells
 *   relative = NAME: COLUMN | setting=value   the cell over the median of COLUMN in the rows that have
 *                                             this setting and are else the same point
 * `sort = COLUMN...` is last. Fails with ERR_INPUT where the file asks for what cannot be, or rows are
 * malformed; that a device has none is no error. */
enum err plot_tables_read(struct plot_tables *t, const struct experiment *x,
                          const struct plot_device *d);
void plot_tables_free(struct plot_tables *t);

/* The sources, one file each. Each makes its frame, without rows or columns where the device has none,
 * and names file and sessions; plot_tables_read does the rest. ERR_USAGE becomes an error of `from`. */
struct source_request {
    const struct experiment *experiment;
    const struct section *data; /* its [data] section */
    const struct plot_device *device;
    const char *argument; /* what follows the source's name, "" for nothing */
    const char *database;
};
typedef enum err source_read(const struct source_request *r, struct plot_table *t);
source_read source_measured, source_blocks, source_kernels, source_predicted, source_replay,
    source_published, source_case, source_certificate;

#endif
