/* The bits of runs, as verification/certificate.tsv has them: a line for each. */
#ifndef SHOAL_CERTIFICATE_H
#define SHOAL_CERTIFICATE_H

#include "core/options/run_config.h"
#include "core/base/paths.h"
#include "verification/certify/digest.h"

/* Cells from west to east and steps of every stored run. */
enum { CERTIFICATE_NX = 48, CERTIFICATE_STEPS = 20 };

struct certified_run {
    char scheme[NAME_LENGTH], flow_case[NAME_LENGTH];
    enum precision precision;
    char initial[DIGEST + 1], final[DIGEST + 1];
};

/* Sorted by scheme, case, precision; no two runs are the same one. */
struct certificate {
    char functions[DIGEST +
                   1]; /* of the C library on the machine that made it: see digest_functions */
    struct certified_run *run;
    int count;
};

/* Reads a certificate; if there is no file, one without runs. Fails with ERR_INPUT, file and line,
 * if a line is malformed or out of order. */
enum err certificate_read(struct certificate *c, const char *path);
enum err certificate_write(const struct certificate *c, const char *path);
void certificate_free(struct certificate *c); /* accepts a zeroed one */

/* verification/certificate.tsv */
enum err certificate_path(char path[PATH_LENGTH]);

/* The run of that scheme, case and precision; NULL: there is none. */
const struct certified_run *certificate_find(const struct certificate *c,
                                             const struct certified_run *like);

/* Inserts or replaces a run. */
enum err certificate_put(struct certificate *c, const struct certified_run *run);

/* "rk2 lake f32" */
enum { RUN_TEXT = 2 * NAME_LENGTH + 8 };
const char *certified_text(const struct certified_run *run, char text[RUN_TEXT]);

#endif
