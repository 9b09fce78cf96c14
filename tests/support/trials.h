/* Trials of every registered plug-in of a kind, in each precision and for each value of a setting,
 * and promises to hold them to; include after cmocka.h. */
#ifndef SHOAL_TEST_TRIALS_H
#define SHOAL_TEST_TRIALS_H

#include <stddef.h>

#include "core/kernel.h"
#include "core/plugin.h"
#include "tests/support/plugin_loader.h"

/* What was tried. */
struct tried {
    const struct plugin *plugin;
    enum precision precision;
    double setting;
};

/* One plug-in, precision and setting, and what the plug-in gave for each sample. Each test defines
 * it; its first member is a struct tried. */
struct trial;

enum { TRIALS_MOST = 64 * PRECISIONS * 3 };

struct trials {
    const char *kind, *setting; /* their names in messages */
    const struct plugin *const *plugins;
    enum err (*load)(struct plugin_library *lib, const char *name, enum precision p);
    const double *settings; /* rounded to the precision before they are tried */
    int setting_count;
    size_t size;                    /* of a struct trial */
    void (*fill)(enum precision p); /* makes the samples that the trials of p share */
    void (*run)(struct trial *t, const struct plugin_library *lib); /* t is zero after its first */
    struct trial *trial[TRIALS_MOST];
    int count;
};

/* What a promise is checked for: samples 0 to count - 1 of a trial. */
struct trial_samples {
    int count;
    double (*size)(const struct trial *t, int k); /* the smallest breach is reported */
    void (*print)(const struct trial *t, int k);  /* as error messages */
};

/* Does the plug-in break the promise for sample k? */
typedef int breach(const struct trial *t, int k);

/* Fills and runs every trial. Returns 0, or -1 after saying why on stderr; either way
 * trials_forget frees what there is. */
int trials_run(struct trials *all);
void trials_forget(struct trials *all);

/* Fails the test unless every plug-in states its title and source. */
void trials_cited(const struct trials *all);

/* Holds every plug-in that declares all of `properties` to a promise; there must be one. Reports
 * each that breaks it, with the smallest sample for which it does, then fails the test. */
void trials_hold(const struct trials *all, const struct trial_samples *samples, unsigned properties,
                 breach *broken, const char *promise);

#endif
