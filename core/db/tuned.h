/* What a run takes from the tuning database: the blocks of its kernels, and the fastest scheme. */
#ifndef SHOAL_TUNED_H
#define SHOAL_TUNED_H

#include "core/device/backend.h"
#include "core/compile/recipe.h"
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

/* The scheme of second order in space and time that was measured to be the fastest, on the nearest
 * device and size; without measurements, the default one. Logs which and why. */
enum err tuned_scheme(const struct tuned_for *run, enum precision p, const struct scheme **scheme);

#endif
