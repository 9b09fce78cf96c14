/* Does a restarted run give the bits of an uninterrupted one? */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/monotonic_time.h"
#include "core/device/backend.h"
#include "core/run/checkpoint.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"
#include "verification/run/session.h"
#include "verification/run/case_sim.h"

/* Islands with shores; a stream that comes in and goes out; sediment likewise. */
static const char *const flows[] = {"lake", "bump-shock", "delta"};
enum { FLOWS = sizeof flows / sizeof *flows };

/* `file`: the output, whose checkpoint is beside it; nothing else is written. */
static enum err begin(struct case_sim *p, const struct job *t, long steps, const char *file)
{
    const struct certified_run *run = t->of;
    certified_configure(&p->config, run, &t->run.variant);
    p->config.steps = steps;
    snprintf(p->config.output, sizeof p->config.output, "%s", file);
    return case_sim_open(p, find_case(run->flow_case));
}

/* Runs to the end, then writes a checkpoint and returns its path. */
static enum err run_and_keep(struct case_sim *p, char path[PATH_LENGTH])
{
    const struct checkpoint_setup setup = {
        .sim = p->sim, .problem = &p->problem, .command_line = "shoal certify"};
    struct checkpoint *k = NULL;
    TRY(sim_run(p->sim, (double)INFINITY, NULL));
    TRY(checkpoint_open(&k, &setup));
    snprintf(path, PATH_LENGTH, "%s", checkpoint_path(k));
    const enum err e = checkpoint_write(k);
    checkpoint_close(&k);
    return e;
}

static enum err go_on(struct case_sim *p, const char *path, char final[DIGEST + 1])
{
    size_t rows[SERIES];
    TRY(checkpoint_restore(p->sim, &p->problem, path, rows));
    TRY(sim_run(p->sim, (double)INFINITY, NULL));
    return digest_state(p->sim, final);
}

/* The run in two parts, with nothing between them but a file. */
static enum err run_in_two(struct case_sim *p, const struct job *t, const char *file,
                           char final[DIGEST + 1])
{
    char path[PATH_LENGTH] = "";
    enum err e = begin(p, t, CERTIFICATE_STEPS / 2, file);
    if (!e)
        e = run_and_keep(p, path);
    case_sim_close(p);
    TRY(e);
    e = begin(p, t, CERTIFICATE_STEPS, file);
    if (!e)
        e = go_on(p, path, final);
    case_sim_close(p);
    unlink(path);
    return e;
}

static char folder[PATH_LENGTH]; /* for checkpoints, while this is asked */

/* An uninterrupted run, and the same in two. */
static enum err restart(const struct job *t, void *to)
{
    const struct certified_run *straight = t->of;
    const char *on = backends[t->run.variant.backend]->name;
    struct told *told = to;
    struct case_sim *p = calloc(1, sizeof *p);
    char file[PATH_LENGTH], final[DIGEST + 1] = "", text[RUN_TEXT];
    if (!p)
        FAIL(MEMORY, "no memory for a run");
    snprintf(file, sizeof file, "%.4000s/run-%d.nc", folder, (int)getpid());
    const enum err e = run_in_two(p, t, file, final);
    free(p);
    if (e) {
        err_context("%s on %s, restarted", certified_text(straight, text), on);
        return e;
    }
    told->compared++;
    told->same += strcmp(final, straight->final) == 0;
    if (!told->same)
        told_differs(told, "%s on %s, restarted: %s, straight on it is %s",
                     certified_text(straight, text), on, final, straight->final);
    return ERR_OK;
}

static int is_flow(const char *name)
{
    for (int k = 0; k < FLOWS; k++)
        if (strcmp(flows[k], name) == 0)
            return 1;
    return 0;
}

static enum err compare_all(struct certifying *c, enum backend_kind b, struct answer *a)
{
    struct session s = {.began = seconds()};
    enum err e = ERR_OK;
    for (int k = 0; k < c->computed[b].count; k++) {
        const struct certified_run *run = &c->computed[b].run[k];
        struct job t = {.kind = JOB_WORK, .needs = {-1, -1}, .work = restart, .of = run};
        t.run.variant = certify_variant(c, find_scheme(run->scheme), run->precision, b);
        if (is_flow(run->flow_case))
            TRY_OUT(plan_add(&s.plan, &t));
    }
    TRY_OUT(certify_compute(c, &s, a));
out:
    session_free(&s);
    return e;
}

enum err ask_restart(struct certifying *c, enum backend_kind b, struct answer *a)
{
    const char *scratch = getenv("TMPDIR");
    if (!ncfile_available()) {
        snprintf(a->absent, sizeof a->absent, "%s", err_message());
        return ERR_OK;
    }
    TRY(certify_cases(c, b));
    snprintf(folder, sizeof folder, "%.4000s/shoal-XXXXXX", scratch && *scratch ? scratch : "/tmp");
    if (!mkdtemp(folder))
        FAIL(MACHINE,
             "cannot create a folder for checkpoints in %s: %s; name another place in TMPDIR",
             scratch && *scratch ? scratch : "/tmp", strerror(errno));
    const enum err e = compare_all(c, b, a);
    rmdir(folder);
    return e;
}
