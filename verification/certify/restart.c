/* Does a run that goes on from a checkpoint come to the bits of one that went straight on? */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "core/run/checkpoint.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"
#include "verification/run/progress.h"
#include "verification/run/case_sim.h"

/* Islands with shores; a stream that comes in and goes out. */
static const char *const flows[] = {"lake", "bump-shock"};
enum { FLOWS = sizeof flows / sizeof *flows };

/* `file`: the output, whose checkpoint is beside it; nothing else is written. */
static enum err begin(struct case_sim *p, const struct certifying *c,
                      const struct certified_run *run, enum backend_kind b, long steps,
                      const char *file)
{
    certified_configure(&p->config, run, b, c->device);
    p->config.steps = steps;
    snprintf(p->config.output, sizeof p->config.output, "%s", file);
    return case_sim_open(p, find_case(run->flow_case));
}

/* To its end, then a checkpoint, whose path is given back. */
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
static enum err run_in_two(struct case_sim *p, const struct certifying *c,
                           struct certified_run *run, enum backend_kind b, const char *file)
{
    char path[PATH_LENGTH] = "";
    enum err e = begin(p, c, run, b, CERTIFICATE_STEPS / 2, file);
    if (!e)
        e = run_and_keep(p, path);
    case_sim_close(p);
    TRY(e);
    e = begin(p, c, run, b, CERTIFICATE_STEPS, file);
    if (!e)
        e = go_on(p, path, run->final);
    case_sim_close(p);
    unlink(path);
    return e;
}

static enum err compare(struct certifying *c, struct case_sim *p,
                        const struct certified_run *straight, enum backend_kind b, const char *file,
                        struct answer *a)
{
    struct certified_run run = *straight;
    char text[RUN_TEXT];
    progress_show("%s", certified_text(straight, text));
    const enum err e = run_in_two(p, c, &run, b, file);
    if (e) {
        err_context("%s on %s, restarted", certified_text(straight, text), backends[b]->name);
        return e;
    }
    a->compared++;
    if (strcmp(run.final, straight->final) == 0)
        a->same++;
    else
        TRY(certify_differs(c, "%s on %s, restarted: %s, straight on it is %s",
                            certified_text(straight, text), backends[b]->name, run.final,
                            straight->final));
    return ERR_OK;
}

static int is_flow(const char *name)
{
    for (int k = 0; k < FLOWS; k++)
        if (strcmp(flows[k], name) == 0)
            return 1;
    return 0;
}

static enum err compare_all(struct certifying *c, enum backend_kind b, const char *folder,
                            struct answer *a)
{
    struct case_sim *p = calloc(1, sizeof *p);
    char file[PATH_LENGTH];
    enum err e = ERR_OK;
    if (!p)
        FAIL(MEMORY, "no memory for a run");
    snprintf(file, sizeof file, "%.4000s/run.nc", folder);
    for (int k = 0; k < c->computed[b].count && !e; k++)
        if (is_flow(c->computed[b].run[k].flow_case))
            e = compare(c, p, &c->computed[b].run[k], b, file, a);
    free(p);
    return e;
}

enum err ask_restart(struct certifying *c, enum backend_kind b, struct answer *a)
{
    const char *scratch = getenv("TMPDIR");
    char folder[PATH_LENGTH];
    if (!ncfile_available()) {
        snprintf(a->absent, sizeof a->absent, "%s", NCFILE_ABSENT);
        return ERR_OK;
    }
    TRY(certify_cases(c, b));
    snprintf(folder, sizeof folder, "%.4000s/shoal-XXXXXX", scratch && *scratch ? scratch : "/tmp");
    if (!mkdtemp(folder))
        FAIL(MACHINE,
             "no folder for checkpoints can be made in %s: %s; name another place in TMPDIR",
             scratch && *scratch ? scratch : "/tmp", strerror(errno));
    const enum err e = compare_all(c, b, folder, a);
    rmdir(folder);
    return e;
}
