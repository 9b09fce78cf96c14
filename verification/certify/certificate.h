/* The bits of runs, as verification/certificate.tsv has them: a line for each. */
#ifndef SHOAL_CERTIFICATE_H
#define SHOAL_CERTIFICATE_H

#include "core/options/run_config.h"
#include "core/base/paths.h"
#include "verification/certify/digest.h"

/* Every run that is stored: so many cells from west to east, and so many steps. */
enum { CERTIFICATE_NX = 48, CERTIFICATE_STEPS = 20 };

struct certified_run {
    char scheme[NAME_LENGTH], flow_case[NAME_LENGTH];
    enum precision precision;
    char initial[DIGEST + 1], final[DIGEST + 1];
};

/* Sorted by scheme, case, precision; no two runs are the same one. */
struct certificate {
    char functions[DIGEST + 1]; /* of the C library where it was made: see digest_functions */
    struct certified_run *run;
    int count;
};

/* Reads a certificate; where there is no file, one without runs. Fails with ERR_INPUT, file and line,
 * where a line is malformed or not in its place. */
enum err certificate_read(struct certificate *c, const char *path);
enum err certificate_write(const struct certificate *c, const char *path);
void certificate_free(struct certificate *c); /* accepts a zeroed one */

/* verification/certificate.tsv */
enum err certificate_path(char path[PATH_LENGTH]);

/* The run of that scheme, case and precision; NULL: there is none. */
const struct certified_run *certificate_find(const struct certificate *c,
                                             const struct certified_run *like);

/* Adds a run in its place, over the one that may be there. */
enum err certificate_put(struct certificate *c, const struct certified_run *run);

/* "rk2 lake f32" */
enum { RUN_TEXT = 2 * NAME_LENGTH + 8 };
const char *certified_text(const struct certified_run *run, char text[RUN_TEXT]);

#endif
