/* Certificates of runs that never took place; include after cmocka.h. */
#ifndef SHOAL_TEST_CERTIFICATE_H
#define SHOAL_TEST_CERTIFICATE_H

#include "tests/support/tables.h"
#include "verification/certify/certify.h"

static inline void expect_said(const struct certifying *c, const char *part)
{
    for (int k = 0; k < c->differences; k++)
        if (strstr(c->difference[k].text, part))
            return;
    fail_msg("'%s' is not among %d sentences, the first is: %s", part, c->differences,
             c->differences ? c->difference[0].text : "none");
}

/* Not run: pretends that it produced these bits. */
static inline struct certified_run run_of(const char *scheme, const char *flow_case,
                                          enum precision p, const char *initial, const char *final)
{
    struct certified_run run = {.precision = p};
    strcpy(run.scheme, scheme);
    strcpy(run.flow_case, flow_case);
    strcpy(run.initial, initial);
    strcpy(run.final, final);
    return run;
}

#define START "0123456789abcdef"
#define BITS  "00000000000000aa"
#define OTHER "00000000000000bb"

static inline void put(struct certificate *c, struct certified_run run)
{
    fine(certificate_put(c, &run));
}

/* Equal stored and computed certificates: lake with rk2 in both precisions. */
static inline struct certifying alike(void)
{
    struct certifying c = {.schemes = "rk2", .cases = "lake", .on = {[CPU] = 1}};
    struct certificate *const both[] = {&c.stored, &c.computed[CPU]};
    for (int k = 0; k < 2; k++) {
        strcpy(both[k]->functions, START);
        put(both[k], run_of("rk2", "lake", F64, START, BITS));
        put(both[k], run_of("rk2", "lake", F32, START, BITS));
    }
    return c;
}

#endif
