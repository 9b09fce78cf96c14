/* `shoal verify`: plans, computes, judges, reports. */
#include <stdio.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/registry/registry.h"
#include "core/sim/draining.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "verification/run/result_folder.h"
#include "verification/run/session.h"
#include "verification/report/report.h"
#include "verification/report/lines.h"

struct settings {
    struct selection asked;
    char output[FILE_LENGTH];
    int backend, mode, workers, quick, full, list;
};

static const struct option options[] = {
    {"case", "NAME[,NAME]", "only these cases and invariants",
     TEXT_IN(struct settings, asked.cases)},
    {"scheme", "NAME[,NAME]", "only these; each climbs like the default one",
     NAMES_IN(struct settings, asked.schemes, LIST_SCHEMES)},
    {"limiter", "NAME[,NAME]", "these instead of the default one",
     NAMES_IN(struct settings, asked.limiters, LIST_LIMITERS)},
    {"flux", "NAME[,NAME]", "the same for fluxes",
     NAMES_IN(struct settings, asked.fluxes, LIST_FLUXES)},
    {"reconstruction", "NAME[,NAME]", "the same for reconstructions",
     NAMES_IN(struct settings, asked.reconstructions, LIST_RECONSTRUCTIONS)},
    {"positivity", "HOW", "courant; or draining, of the schemes that offer it",
     CHOICE_IN(struct settings, asked.positivity, positivity_names), .initial = "courant"},
    {"precision", "P", "f32 or f64 only",
     CHOICE_IN(struct settings, asked.precision, precision_names), .unset = "both"},
    {"backend", "NAME", "auto: all available ones; cpu or cuda",
     CHOICE_IN(struct settings, backend, backend_words), .initial = "auto"},
    {"device", "N", "which GPU", COUNT_IN(struct settings, asked.device, 0, 4096), .initial = "0"},
    DIVISION_OPTIONS(struct settings, asked.division),
    {"mode", "MODE", "strict: the same numbers on every machine; or fast",
     CHOICE_IN(struct settings, mode, mode_names), .initial = "strict"},
    {"quick", NULL, "the default scheme on coarse grids, about 20 s",
     FLAG_IN(struct settings, quick)},
    {"full", NULL, "everything on every resolution", FLAG_IN(struct settings, full)},
    {"workers", "N", "processes that compute", COUNT_IN(struct settings, workers, 0, 4096),
     .unset = "one per core"},
    {"output", "FOLDER", "folder for the results", PATH_IN(struct settings, output),
     .unset = "build/verify"},
    {"list", NULL, "lists what would run, and runs nothing", FLAG_IN(struct settings, list)},
    {.name = NULL},
};

/* Schemes that are named offer what is asked for. */
static enum err check_positivity(const struct selection *asked)
{
    for (int k = 0; schemes[k] && asked->positivity == BY_DRAINING && *asked->schemes; k++)
        if (selected(asked->schemes, schemes[k]->name))
            TRY(draining_check_scheme(schemes[k]));
    return ERR_OK;
}

static enum err resolve(struct settings *s, struct gpu *g)
{
    TRY(check_positivity(&s->asked));
    s->asked.mode = (enum mode)s->mode;
    if (s->quick && s->full)
        FAIL(USAGE, "--quick and --full contradict each other");
    s->asked.effort = s->quick ? QUICK : s->full ? FULL : USUAL;
    s->workers = session_workers(s->workers);
    if (s->asked.division.devices.count > 0)
        s->asked.device = s->asked.division.devices.of[0];
    return session_backends(s->backend, s->asked.device, s->asked.backend, g);
}

/* A running verification. */
struct verification_state {
    struct session s;
    struct fact facts[FACTS];
    int printed;
};

static void print_lines(void *context)
{
    struct verification_state *v = context;
    for (; v->printed < v->s.verdicts.count; v->printed++)
        lines_print(&v->s.verdicts.line[v->printed]);
    fflush(stdout);
}

/* Its progress: rewritten at the end. */
static void note_progress(struct verification_state *v, int workers)
{
    char text[512];
    snprintf(text, sizeof text, "%.0f s with %d worker processes", seconds() - v->s.began, workers);
    fact_set(v->facts, "time", text);
    snprintf(text, sizeof text, "no: %d of %d jobs", v->s.ended, v->s.plan.count);
    fact_set(v->facts, "complete", v->s.ended == v->s.plan.count ? "yes" : text);
}

/* Prints the result; fails if a check did. */
static enum err conclude(const struct settings *s, const struct verdicts *v, double wall)
{
    const int held = verdicts_count(v, VERDICT_OK), failed = verdicts_count(v, VERDICT_FAIL);
    printf("\nreport: %s/report.html, and as text: %s/report.md\n", s->output, s->output);
    printf("verify: held=%d failed=%d noted=%d wall=%.1f\n", held, failed,
           verdicts_count(v, VERDICT_NOTE), wall);
    if (failed)
        FAIL(CHECK, "%d of %d checks failed", failed, held + failed);
    return ERR_OK;
}

static void list_jobs(const struct plan *p)
{
    for (int k = 0; k < p->count; k++) {
        const struct job *j = &p->job[k];
        char text[VARIANT_TEXT];
        if (j->kind == JOB_RUN)
            printf("%-20s %-32s %5d%s\n", j->run.flow_case->name,
                   variant_text(&j->run.variant, text), j->run.n,
                   j->sweep ? "  (for the figure of kappa)" : "");
        else if (j->kind == JOB_INVARIANT)
            printf("%-20s %s\n", j->invariant->name, variant_text(&j->run.variant, text));
    }
}

/* All output files of a verification. */
static enum err write_results(const struct settings *s, struct verification_state *v)
{
    const struct reported what = {s->output, &v->s.plan, v->s.outcome, &v->s.verdicts, v->facts};
    note_progress(v, s->workers);
    TRY(files_write(s->output, &v->s.verdicts, &v->s.plan, v->s.outcome, v->facts));
    return report_write(&what, stdout);
}

static enum err verify(struct settings *s, struct verification_state *v, const struct gpu *g,
                       const char *line)
{
    char data[PATH_LENGTH];
    TRY(session_output(s->output, sizeof s->output, "verify", NULL));
    TRY(folder_prepare(s->output, data));
    session_facts(v->facts,
                  s->asked.backend[CUDA] ? g->name
                  : g->here              ? "not asked"
                                         : "none",
                  mode_names[s->asked.mode], line);
    note_progress(v, s->workers);
    TRY(files_environment(s->output, v->facts));
    lines_head();
    const enum err ran = session_run(&v->s, s->workers, data);
    const double wall = seconds() - v->s.began;
    if (ran && ran != ERR_STOPPED)
        return ran;
    TRY(v->s.err);
    TRY(write_results(s, v));
    const enum err e = conclude(s, &v->s.verdicts, wall);
    if (ran)
        FAIL(STOPPED, "stopped by a signal: %d of %d jobs were done, and are in the report",
             v->s.ended, v->s.plan.count);
    return e;
}

static enum err cmd_verify(const struct call *call)
{
    struct settings *s = call->settings;
    static struct verification_state v;
    struct gpu g;
    enum err e = ERR_OK;
    v.s = (struct session){.began = seconds(), .judged = print_lines, .context = &v};
    TRY_OUT(resolve(s, &g));
    TRY_OUT(plan_create(&v.s.plan, &s->asked));
    log_quiet(1);
    if (s->list)
        list_jobs(&v.s.plan);
    else
        e = verify(s, &v, &g, call->line);
out:
    session_free(&v.s);
    return e;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "",
    .title = "compares schemes with known solutions",
    .place = 4,
    .about = "Computes flows with known solutions and reports every scheme's error, its order of\n"
             "convergence, and whether exact properties hold. Prints a line per check, a\n"
             "summary, and the lines that failed; writes report.html, report.md, results.tsv,\n"
             "runs.tsv and junit.xml into build/verify. Ends with status 1 if a check failed.\n"
             "\n"
             "The default scheme in f64 climbs the usual part of each case's ladder of\n"
             "resolutions, every other scheme and precision its first two rungs; --full climbs\n"
             "them all.",
    .examples = "  shoal verify\n"
                "  shoal verify --quick\n"
                "  shoal verify --scheme ds2 --case vortex,symmetry\n"
                "  shoal verify --limiter mc --precision f64\n"
                "  shoal verify --flux hll --case stoker\n"
                "  shoal verify --backend cuda --devices 0,1\n"
                "  shoal verify --list | wc -l",
    .options = options,
    .settings = sizeof(struct settings),
    .instead = "--case",
    .run = cmd_verify,
};
