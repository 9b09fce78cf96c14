/* What a run takes from the tuning database: the blocks of its kernels, and the fastest scheme. */
#ifndef SHOAL_TUNED_H
#define SHOAL_TUNED_H

#include "core/device/backend.h"
#include "core/compile/recipe.h"
#include "core/options/run_config.h"
#include "core/registry/scheme.h"
#include "core/db/tuning_db.h"

/* Where a kernel's block comes from: its description, --block, or the tuning database. */
enum block_from { BLOCK_DEFAULT, BLOCK_CHOSEN, BLOCK_TUNED };

struct block_origin {
    enum block_from from;
    /* Where and how a tuned one was measured. */
    enum db_match match;
    int nx, ny;
    int other_flags, other_source;
    char device[DB_NAME + 1]; /* as its folder is called */
};

/* What a run has. */
struct tuned_for {
    const struct device_info *device;
    int nx, ny;
    int threads; /* of a CPU; 0: as many as the device has */
};

struct tuned_kernel {
    struct recipe *recipe;
    struct block_origin *origin;
};

/* Gives each kernel the database's block, if there is one, and records that in its origin. Kernels
 * with lists of blocks get a common one, or none of them does. A faulty database is a warning; a
 * missing one is not. */
enum err tuned_blocks(const struct tuned_for *run, const struct tuned_kernel *kernels, int count);

/* "tuned on this device at 4096x4096" */
void tuned_describe(const struct block_origin *o, char *text, size_t n);

/* The relevant part of the database; NULL: there is no database. */
enum err tuned_view(const struct tuned_for *run, struct db_view **v);

/* What a run asks of its scheme. */
struct tuned_wish {
    const struct config *config; /* its precision and Courant number */
    int (*suits)(const void *context, const struct scheme *s); /* NULL: any does */
    const void *context;
};

/* Of the schemes of second order in space and time that suit the run the one that reaches a given error first, by the
 * measurements on the nearest device and size: the time of its steps, at the Courant number that it would have, times
 * its error over the default scheme's to the power 3/2. Without measurements, the default scheme. Logs which and
 * why. */
enum err tuned_scheme(const struct tuned_for *run, const struct tuned_wish *wish,
                      const struct scheme **scheme);

#endif
