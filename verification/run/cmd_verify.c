/* `shoal verify`: plans, computes, judges, reports. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/options/arguments.h"
#include "core/device/backend.h"
#include "core/base/forked_child.h"
#include "core/registry/command.h"
#include "core/device/gpu_probe.h"
#include "core/base/log.h"
#include "core/base/paths.h"
#include "core/registry/registry.h"
#include "core/base/monotonic_time.h"
#include "core/base/version.h"
#include "verification/run/result_files.h"
#include "verification/run/result_folder.h"
#include "verification/run/pool.h"
#include "verification/report/report.h"
#include "verification/report/lines.h"

struct settings {
    struct selection asked;
    char backend[NAME_LENGTH], precision[NAME_LENGTH], mode[NAME_LENGTH];
    char output[FILE_LENGTH];
    int workers, quick, full, list;
};

static const struct argument choices[] = {
    {"case", "NAME[,NAME]", "only these cases and invariants",
     WORD_IN(struct settings, asked.cases)},
    {"scheme", "NAME[,NAME]", "only these; each climbs like the default one",
     WORD_IN(struct settings, asked.schemes)},
    {"limiter", "NAME[,NAME]", "these instead of the default one",
     WORD_IN(struct settings, asked.limiters)},
    {"flux", "NAME[,NAME]", "the same for fluxes", WORD_IN(struct settings, asked.fluxes)},
    {"reconstruction", "NAME[,NAME]", "the same for reconstructions",
     WORD_IN(struct settings, asked.reconstructions)},
    {"precision", "P", "f32 or f64 only", WORD_IN(struct settings, precision)},
    {"backend", "NAME", "auto (every one that is here), cpu or cuda",
     WORD_IN(struct settings, backend)},
    {"device", "N", "which GPU", NUMBER_IN(struct settings, asked.device, 0, 4096)},
    {"mode", "MODE", "strict (the same numbers on every machine; default) or fast",
     WORD_IN(struct settings, mode)},
    {"quick", NULL, "the default scheme on coarse grids, about 20 s",
     FLAG_IN(struct settings, quick)},
    {"full", NULL, "everything on every resolution", FLAG_IN(struct settings, full)},
    {"workers", "N", "processes that compute; default: one per core",
     NUMBER_IN(struct settings, workers, 0, 4096)},
    {"output", "FOLDER", "where the results go; default: build/verify",
     WORD_IN(struct settings, output)},
    {"list", NULL, "says what would be run, runs nothing", FLAG_IN(struct settings, list)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void cmd_verify_help(void)
{
    puts("usage: shoal verify [options]\n"
         "\n"
         "Computes flows with known solutions and says how far every scheme is off, at what order\n"
         "the error falls, and whether what must hold exactly does. Prints a line per check, a\n"
         "summary, and the lines that failed; leaves report.html, report.md, results.tsv,\n"
         "runs.tsv and junit.xml in build/verify. Ends with status 1 if a check failed.\n"
         "\n"
         "The default scheme in f64 climbs the usual part of each case's ladder of resolutions,\n"
         "every other scheme and precision its first two rungs; --full climbs them all.\n"
         "\n"
         "options:");
    arguments_help(choices, CHOICES);
    puts("\n"
         "examples:\n"
         "  shoal verify\n"
         "  shoal verify --quick\n"
         "  shoal verify --scheme ds2 --case vortex,symmetry\n"
         "  shoal verify --limiter mc --precision f64\n"
         "  shoal verify --flux hll --case stoker\n"
         "  shoal verify --list | wc -l");
}

static enum err choose_backends(struct settings *s, int which, const struct gpu *g)
{
    if (which == CUDA && !g->here)
        FAIL(ABSENT, "backend cuda: %s", g->why);
    if (which == ANY_BACKEND && !g->here)
        TRY(gpu_spared(s->asked.device, g->why));
    s->asked.backend[CPU] = which != CUDA;
    s->asked.backend[CUDA] = which != CPU && g->here;
    return ERR_OK;
}

static enum err resolve(struct settings *s, struct gpu *g)
{
    int backend, mode = STRICT;
    s->asked.precision = -1;
    TRY(arguments_backend(s->backend, &backend));
    TRY(arguments_one_of("precision", s->precision, precision_names, &s->asked.precision));
    TRY(arguments_one_of("mode", s->mode, mode_names, &mode));
    s->asked.mode = (enum mode)mode;
    if (s->quick && s->full)
        FAIL(USAGE, "--quick and --full contradict each other");
    s->asked.effort = s->quick ? QUICK : s->full ? FULL : USUAL;
    s->workers = s->workers ? s->workers : omp_get_num_procs();
    s->workers = s->workers < MOST_WORKERS ? s->workers : MOST_WORKERS;
    TRY(gpu_find(s->asked.device, g));
    return choose_backends(s, backend, g);
}

static enum err make_output(struct settings *s, char data[PATH_LENGTH])
{
    if (!*s->output) {
        char build[PATH_LENGTH];
        TRY(paths_file("build", build));
        TRY(paths_folder(build, "choose another with --output"));
        snprintf(s->output, sizeof s->output, "%.4000s/verify", build);
    }
    return folder_prepare(s->output, data);
}

/* A verification under way. */
struct verification_state {
    const struct plan *plan;
    struct outcome *outcome;
    struct verdicts verdicts;
    int ended, printed;
    double began, shown;
    enum err err;
};

static void show_progress(struct verification_state *s)
{
    const double now = seconds();
    if (!isatty(STDERR_FILENO) || now - s->shown < 0.2)
        return;
    s->shown = now;
    fprintf(stderr, "\r%d of %d done, %d failed, %.0f s \033[K", s->ended, s->plan->count,
            verdicts_count(&s->verdicts, VERDICT_FAIL), now - s->began);
}

static void on_done(void *context, int job)
{
    struct verification_state *s = context;
    if (job < 0) {
        show_progress(s);
        return;
    }
    s->ended++;
    if (!s->err)
        s->err = verdicts_judge(&s->verdicts, s->plan, s->outcome, job);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    for (; s->printed < s->verdicts.count; s->printed++)
        lines_print(&s->verdicts.line[s->printed]);
    fflush(stdout);
}

static void note(struct fact facts[FACTS], int *n, const char *name, const char *value)
{
    snprintf(facts[*n].name, sizeof facts[*n].name, "%s", name);
    snprintf(facts[*n].value, sizeof facts[*n].value, "%s", value);
    ++*n;
}

static void gather_facts(struct fact facts[FACTS], const struct settings *s, const struct gpu *g,
                         const char *options)
{
    struct device_options o = {.march = "native", .threads = 1};
    struct device *dev = NULL;
    char text[512];
    int n = 0;
    const time_t now = time(NULL);
    note(facts, &n, "version", shoal_version);
    note(facts, &n, "commit", shoal_commit);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    note(facts, &n, "date", text);
    if (backend_cpu.open(&dev, &o) == ERR_OK) {
        const struct device_info *i = backend_cpu.info(dev);
        snprintf(text, sizeof text, "%s (%s)", i->name, i->target);
        note(facts, &n, "cpu", text);
        note(facts, &n, "compiler", i->compiler);
    }
    backend_cpu.close(dev);
    note(facts, &n, "gpu", s->asked.backend[CUDA] ? g->name : g->here ? "not asked" : "none");
    note(facts, &n, "mode", mode_names[s->asked.mode]);
    note(facts, &n, "options", options);
}

/* How far it has come: rewritten at the end. */
static void note_progress(struct fact facts[FACTS], const struct settings *s,
                          const struct verification_state *v)
{
    char text[512];
    int n = 0;
    while (n < FACTS - 2 && facts[n].name[0] && strcmp(facts[n].name, "time") != 0)
        n++;
    snprintf(text, sizeof text, "%.0f s with %d worker processes", seconds() - v->began,
             s->workers);
    note(facts, &n, "time", text);
    if (v->ended == v->plan->count)
        snprintf(text, sizeof text, "yes");
    else
        snprintf(text, sizeof text, "no: %d of %d jobs", v->ended, v->plan->count);
    note(facts, &n, "complete", text);
}

/* Tells what was found; fails if a check did. */
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

/* Everything that a verification leaves behind. */
static enum err write_results(const struct settings *s, struct verification_state *state,
                              struct fact facts[FACTS])
{
    verdicts_sort(&state->verdicts);
    note_progress(facts, s, state);
    TRY(files_write(s->output, &state->verdicts, state->plan, state->outcome, facts));
    const struct reported what = {s->output, state->plan, state->outcome, &state->verdicts, facts};
    return report_write(&what, stdout);
}

static enum err verify(struct settings *s, const struct plan *p, const struct gpu *g,
                       const char *options)
{
    char data[PATH_LENGTH];
    struct fact facts[FACTS] = {0};
    const size_t bytes = (size_t)p->count * sizeof(struct outcome);
    struct verification_state state = {.plan = p, .began = seconds()};
    enum err e = ERR_OK;
    TRY(make_output(s, data));
    gather_facts(facts, s, g, options);
    note_progress(facts, s, &state);
    TRY(files_environment(s->output, facts));
    state.outcome = forked_child_share(bytes);
    if (!state.outcome)
        FAIL(MEMORY, "no memory for the results of %d jobs", p->count);
    lines_head();
    const enum err ran = pool_run(p, state.outcome, s->workers, data, on_done, &state);
    const double wall = seconds() - state.began;
    if (ran && ran != ERR_STOPPED)
        TRY_OUT(ran);
    TRY_OUT(state.err);
    TRY_OUT(write_results(s, &state, facts));
    e = conclude(s, &state.verdicts, wall);
    if (ran)
        e = err_set(ERR_STOPPED, __FILE__, __LINE__,
                    "stopped by a signal: %d of %d jobs were done, and are in the report",
                    state.ended, p->count);
out:
    forked_child_unshare(state.outcome, bytes);
    verdicts_free(&state.verdicts);
    return e;
}

static void join(int argc, char **argv, char *text, size_t n)
{
    size_t used = (size_t)snprintf(text, n, "shoal verify");
    for (int k = 0; k < argc && used < n; k++)
        used += (size_t)snprintf(text + used, n - used, " %s", argv[k]);
}

static enum err cmd_verify(int argc, char **argv)
{
    static struct settings s;
    struct gpu g;
    struct plan p = {0};
    char options[512];
    enum err e = ERR_OK;
    join(argc, argv, options, sizeof options);
    struct arguments all = {
        .command = "verify", .table = choices, .count = CHOICES, .instead = "--case"};
    TRY_OUT(arguments_read(&all, argc, argv, &s));
    TRY_OUT(resolve(&s, &g));
    TRY_OUT(plan_create(&p, &s.asked));
    log_quiet(1);
    if (s.list)
        list_jobs(&p);
    else
        e = verify(&s, &p, &g, options);
out:
    plan_free(&p);
    return e;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "[options]",
    .title = "compares schemes with known solutions",
    .place = 4,
    .run = cmd_verify,
    .help = cmd_verify_help,
};
