/* Runs a plan, and prepares for it. */
#include "verification/run/session.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/forked_child.h"
#include "core/base/monotonic_time.h"
#include "core/base/paths.h"
#include "core/base/version.h"
#include "core/device/backend.h"
#include "verification/run/pool.h"

enum err session_backends(int which, int device, int on[BACKENDS], struct gpu *g)
{
    TRY(gpu_find(device, g));
    if (which == CUDA && !g->here)
        FAIL(ABSENT, "backend cuda: %s", g->why);
    if (which == ANY_BACKEND && !g->here)
        TRY(gpu_spared(device, g->why));
    on[CPU] = which != CUDA;
    on[CUDA] = which != CPU && g->here;
    return ERR_OK;
}

int session_workers(int asked)
{
    const int workers = asked ? asked : omp_get_num_procs();
    return workers < MOST_WORKERS ? workers : MOST_WORKERS;
}

enum err session_output(char *output, size_t n, const char *name, const char *entry)
{
    char below[PATH_LENGTH], path[PATH_LENGTH];
    if (*output)
        return ERR_OK;
    snprintf(below, sizeof below, entry ? "%s/%.200s" : "%s", name, entry);
    TRY(paths_written(below, "choose another with --output", path));
    snprintf(output, n, "%.*s", (int)n - 1, path);
    return ERR_OK;
}

void fact_set(struct fact facts[FACTS], const char *name, const char *value)
{
    int n = 0;
    while (n < FACTS - 1 && facts[n].name[0] && strcmp(facts[n].name, name) != 0)
        n++;
    snprintf(facts[n].name, sizeof facts[n].name, "%s", name);
    snprintf(facts[n].value, sizeof facts[n].value, "%s", value);
}

const char *fact_of(const struct fact facts[FACTS], const char *name)
{
    for (int k = 0; k < FACTS && facts[k].name[0]; k++)
        if (strcmp(facts[k].name, name) == 0)
            return facts[k].value;
    return "";
}

void session_facts(struct fact facts[FACTS], const char *gpu, const char *mode, const char *options)
{
    struct device_options o = {.march = "native", .threads = 1};
    struct device *dev = NULL;
    char text[512];
    const time_t now = time(NULL);
    fact_set(facts, "version", shoal_version);
    fact_set(facts, "commit", shoal_commit);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    fact_set(facts, "date", text);
    if (backend_cpu.open(&dev, &o) == ERR_OK) {
        const struct device_info *i = backend_cpu.info(dev);
        snprintf(text, sizeof text, "%s (%s)", i->name, i->target);
        fact_set(facts, "cpu", text);
        fact_set(facts, "compiler", i->compiler);
    }
    backend_cpu.close(dev);
    fact_set(facts, "gpu", gpu);
    fact_set(facts, "mode", mode);
    fact_set(facts, "options", options);
}

static void show_progress(struct session *s)
{
    const double now = seconds();
    if (!isatty(STDERR_FILENO) || now - s->shown < 0.2)
        return;
    s->shown = now;
    fprintf(stderr, "\r%d of %d done, %d failed, %.0f s \033[K", s->ended, s->plan.count,
            verdicts_count(&s->verdicts, VERDICT_FAIL), now - s->began);
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static void on_done(void *context, int job)
{
    struct session *s = context;
    if (job < 0) {
        show_progress(s);
        return;
    }
    s->ended++;
    if (s->err || s->plan.job[job].kind == JOB_WORK ||
        (s->judges && !s->judges(s->context, &s->plan.job[job])))
        return;
    s->err = verdicts_judge(&s->verdicts, &s->plan, s->outcome, job);
    clear_progress();
    if (s->judged)
        s->judged(s->context);
}

enum err session_run(struct session *s, int workers, const char *data)
{
    s->outcome = forked_child_share((size_t)s->plan.count * sizeof *s->outcome);
    if (!s->outcome)
        FAIL(MEMORY, "no memory for the results of %d jobs", s->plan.count);
    const enum err e = pool_run(&s->plan, s->outcome, workers, data, on_done, s);
    clear_progress();
    verdicts_sort(&s->verdicts);
    return e ? e : s->err;
}

void session_free(struct session *s)
{
    if (s->outcome)
        forked_child_unshare(s->outcome, (size_t)s->plan.count * sizeof *s->outcome);
    verdicts_free(&s->verdicts);
    plan_free(&s->plan);
    *s = (struct session){.began = s->began};
}
