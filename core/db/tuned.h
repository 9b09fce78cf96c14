/* What the tuning database knows for a run: the blocks of its kernels, and the fastest scheme. */
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
    /* Of a tuned one, where and how it was measured. */
    enum db_match match;
    int nx, ny;
    int other_flags, other_source;
    char device[DB_NAME + 1]; /* as its folder is called */
};

/* What a run has. */
struct tuned_for {
    const struct device_info *device;
    int nx, ny;
};

struct tuned_kernel {
    struct recipe *recipe;
    struct block_origin *origin;
};

/* Gives each kernel the block that the database has for it, if it has one, and says so in its origin.
 * Kernels with lists of blocks get one in common, or none of them does. What is wrong with the
 * database is a warning; that there is none is not. */
enum err tuned_blocks(const struct tuned_for *run, const struct tuned_kernel *kernels, int count);

/* "tuned on this device at 4096x4096" */
void tuned_describe(const struct block_origin *o, char *text, size_t n);

/* The part of the database that concerns the run; NULL: there is no database. */
enum err tuned_view(const struct tuned_for *run, struct db_view **v);

/* The scheme of second order in space and time that was measured to be the fastest, on the device and
 * at the size that are nearest; where nothing was, the default one. Logs which and why. */
enum err tuned_scheme(const struct tuned_for *run, enum precision p, const struct scheme **scheme);

#endif
