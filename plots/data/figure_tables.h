/* A figure's tables: the answers of its experiment's queries for a device, or for all. */
#ifndef SHOAL_FIGURE_TABLES_H
#define SHOAL_FIGURE_TABLES_H

#include "experiments/experiment.h"
#include "plots/data/database.h"

/* One for each of its [data] sections, under the section's `name` (the first one's may be left out: then it
 * is called "data"). */
struct plot_table {
    char name[64];
    const char *query; /* in the experiment's text */
    struct rowset answer;
};

/* The source of rows of kernels. */
struct plot_texts {
    char names[256]; /* "rk.cu 6e3abed5d55c, ..." */
    int mixed;       /* has a file two texts with equal flags? */
    int stale;       /* is one of them not the kernel's current text? */
    int listed;      /* how many blocks the spaces have */
    int absent;      /* how many of these were not tried */
};

struct plot_tables {
    struct plot_table *at;
    int count;
    struct plot_texts texts; /* of all of them */
    struct rowset
        sessions; /* that their rows are from: those of the first table before others, the latest first */
    int present;        /* the device has rows for each of them */
    char missing[1024]; /* if not: what is missing, and the command that measures it */
};

/* Runs the queries `sql =` of the [data] sections, in their order: each answer is a table of the
 * database under its section's name, for later sections and for facts, until plot_tables_forget.
 * `d`: a device's first environment, which represents it; NULL: all devices. The query of a drawn
 * table must have an order. Fails with ERR_INPUT, file and line, if a query cannot be answered; a
 * device without rows is not an error. */
enum err plot_tables_read(struct plot_tables *t, const struct experiment *x,
                          const struct plot_devices *all, const struct plot_device *d);
void plot_tables_free(struct plot_tables *t);
enum err plot_tables_forget(const struct plot_tables *t, struct database *d);

#endif
