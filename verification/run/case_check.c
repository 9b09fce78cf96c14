/* Checks the .verify of a case. */
#include "verification/run/case_check.h"

#include <stdio.h>

#include "core/registry/registry.h"
#include "core/registry/table_check.h"
#include "verification/run/verify.h"

/* Is this one of the norms of verification/run/norms.c that compare? */
static int needs_reference(const struct norm *n)
{
    return n == &norm_l1_h || n == &norm_l1_q || n == &norm_l2_h || n == &norm_max_q ||
           n == &norm_mean_w || n == &norm_mean_hu || n == &norm_mean_hv || n == &norm_level ||
           n == &norm_height || n == &norm_share || n == &norm_mean_c;
}

enum err verification_check_case(const struct flow_case *c, const char *file)
{
    const struct verification *v = c->verify;
    char remedy[256];
    if (!v)
        return ERR_OK;
    if (v->ladder[0] < 1)
        return registry_wrong_case(file, "verify", "has no ladder",
                                   "give the numbers of cells to compute it with, "
                                   ".ladder = {100, 200}");
    for (const struct check *k = v->checks; k && k->norm; k++) {
        if (!needs_reference(k->norm) || c->exact || c->exact_value || v->reference)
            continue;
        snprintf(remedy, sizeof remedy,
                 "the check \"%s\" of .verify compares with it; write the exact solution, .exact = "
                 "exact, or remove .verify",
                 k->norm->name);
        return registry_wrong_case(file, "exact", "is NULL", remedy);
    }
    return ERR_OK;
}

enum err verification_check(void)
{
    for (int n = 0; cases[n]; n++)
        TRY(verification_check_case(cases[n], case_files[n]));
    return ERR_OK;
}
