/* The contract of every scheme, and its claims. */
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/contracts/contract.h"
#include "verification/contracts/scheme_runs.h"

static void configure(struct config of[PRECISIONS], const struct scheme *scheme)
{
    for (int p = 0; p < PRECISIONS; p++) {
        struct variant v = {.precision = (enum precision)p, .backend = CPU, .mode = STRICT};
        snprintf(v.scheme, sizeof v.scheme, "%s", scheme->name);
        variant_configure(&of[p], &v);
    }
}

/* Skips checks that could only repeat a failure. */
static const char *why_not(const struct scheme *s, const char *check, const struct remarks *r)
{
    if (strcmp(check, "past") == 0 && s->split)
        return "a split scheme's time step depends on the last one by design";
    if (strcmp(check, "past") == 0 && s->clock)
        return "a scheme with a clock of its own tries time steps by those before";
    if ((strcmp(check, "clipping") == 0 || strcmp(check, "edges") == 0) &&
        remark_fails(r, "volume"))
        return "the balance is not checked, as it loses water between walls";
    if (strcmp(check, "stable") == 0 && remark_fails(r, "past"))
        return "stability is not checked, as it takes the time step of another state";
    return NULL;
}

static int is_enough(const struct remarks *r)
{
    return remark_fails(r, "finite") || (r->first_only && remarks_failed(r) > 0);
}

static enum err ask(const struct scheme *scheme, const struct config of[PRECISIONS],
                    const struct run_question *q, struct remarks *r)
{
    for (; q->check && !is_enough(r); q++) {
        const char *why = why_not(scheme, q->check, r);
        if (why)
            remark(r, NOT_ASKED, q->check, "", "%s", why);
        else
            TRY(ask_runs(scheme->name, of, q, r));
    }
    return ERR_OK;
}

static enum err ask_all(const struct scheme *scheme, const struct config of[PRECISIONS],
                        struct remarks *r)
{
    if (!find_system(scheme->system)->over_bed) {
        TRY(ask(scheme, of, scheme_basin_questions, r));
        return ask(scheme, of, scheme_step_questions, r);
    }
    TRY(ask(scheme, of, scheme_ghost_questions, r));
    TRY(ask(scheme, of, scheme_flow_questions, r));
    if (remark_fails(r, "finite")) {
        remark(r, NOT_ASKED, "claims", "", "nothing else is checked until its flow is finite");
        return ERR_OK;
    }
    TRY(ask(scheme, of, scheme_step_questions, r));
    if (scheme->also)
        TRY(ask(scheme, of, scheme_carried_questions, r));
    return ask(scheme, of, scheme_claim_questions, r);
}

enum err contract_scheme(const struct scheme *scheme, struct remarks *r)
{
    struct config of[PRECISIONS];
    if (!ask_table(scheme, r))
        return ERR_OK;
    configure(of, scheme);
    const enum err e = ask_all(scheme, of, r);
    if (e != ERR_KERNEL)
        return e;
    remark_compile(r, scheme->name);
    return ERR_OK;
}
