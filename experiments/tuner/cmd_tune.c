/* `shoal tune`: finds the best block of every kernel, and the best scheme, on this machine. */
#include <math.h>
#include <stdio.h>

#include "core/registry/command.h"
#include "core/device/gpu_probe.h"
#include "experiments/measure/measure.h"
#include "experiments/tuner/tune.h"

struct settings {
    char kernels[1024], flow[NAME_LENGTH], limiter[NAME_LENGTH], flux[NAME_LENGTH],
        reconstruction[NAME_LENGTH], march[NAME_LENGTH];
    double budget, patience;
    int precision, precision_chosen; /* side by side: option_precision */
    int strategy, backend, mode, positivity;
    int resume, prove, dense, nx, ny, device, threads, compilers;
};

enum { MOST = 1 << 20 };

#define COUNT(member, least) COUNT_IN(struct settings, member, least, MOST)
static const struct option options[] = {
    {"kernel", "NAME[,NAME]", "only these kernels or stems, and no schemes",
     TEXT_IN(struct settings, kernels), .unset = "all"},
    {"strategy", "NAME", "search strategy, see below",
     CHOICE_IN(struct settings, strategy, strategy_names), .initial = "guided"},
    {"budget", "SECONDS", "limits the time after the first few blocks",
     NUMBER_IN(struct settings, budget, 1, 1e7), .unset = "unlimited"},
    {"dense", NULL, "every width and height, not only the space; with --strategy exhaustive",
     FLAG_IN(struct settings, dense)},
    {"resume", NULL, "resumes the same tuning after an interruption",
     FLAG_IN(struct settings, resume)},
    {"prove", NULL, "compares the results of all blocks, to the bit; times and stores nothing",
     FLAG_IN(struct settings, prove)},
    {"backend", "NAME", "auto: a GPU if there is one; cpu or cuda",
     CHOICE_IN(struct settings, backend, backend_words), .initial = "auto"},
    {"device", "N", "which GPU", COUNT(device, 0), .initial = "0"},
    {"threads", "N", "CPU threads", COUNT(threads, 0), .unset = "one per core"},
    {"compilers", "N", "processes that compile",
     COUNT_IN(struct settings, compilers, 1, MOST_COMPILERS), .unset = "by the machine"},
    {"patience", "SECONDS", "the time limit for a block's answer",
     NUMBER_IN(struct settings, patience, 1, 1e5), .initial = "60"},
    {"case", "NAME", "the case whose flow the kernels work on",
     NAME_IN(struct settings, flow, LIST_CASES), .initial = "circular-dam"},
    {"nx", "N", "cells", COUNT(nx, 1), .unset = "4096 on a GPU, 1024 on a CPU"},
    {"ny", "N", "cells", COUNT(ny, 1), .unset = "as many as --nx"},
    {"precision", "P", "f32 or f64", OPTION_IN(struct settings, precision, precision),
     .choices = precision_names, .unset = "f32; f64 for sediment"},
    {"mode", "MODE", "fast or strict", CHOICE_IN(struct settings, mode, mode_names),
     .initial = "fast"},
    {"limiter", "NAME", "compiled into the flux kernels",
     NAME_IN(struct settings, limiter, LIST_LIMITERS), .initial = "minmod"},
    {"flux", "NAME", "the same", NAME_IN(struct settings, flux, LIST_FLUXES),
     .initial = "central_upwind"},
    {"reconstruction", "NAME", "the same",
     NAME_IN(struct settings, reconstruction, LIST_RECONSTRUCTIONS),
     .initial = CASE_RECONSTRUCTION},
    {"positivity", "HOW", "courant; or draining, of the kernels that --kernel names",
     CHOICE_IN(struct settings, positivity, positivity_names), .initial = "courant"},
    {"march", "TARGET", "the CPU to compile for", OPTION_IN(struct settings, march, processor),
     .initial = "native"},
    {.name = NULL},
};

static void print_strategies(FILE *f)
{
    fputs("\nstrategies:\n", f);
    for (int k = 0; k < STRATEGIES; k++)
        fprintf(f, "  %-12s %s\n", strategy_names[k], strategy_titles[k]);
}

/* The settings as a run's configuration. */
static enum err configure(const struct settings *s, struct tune_setup *t)
{
    struct config *c = &t->config;
    enum backend_kind backend;
    if (s->positivity == BY_DRAINING && !*s->kernels)
        FAIL(USAGE, "--positivity draining: not every kernel has it: add --kernel fused, or name "
                    "other kernels of schemes that offer it");
    TRY(gpu_or_cpu(s->backend, s->device, &backend));
    tune_defaults(t, backend);
    t->strategy = s->prove ? SEARCH_EXHAUSTIVE : (enum strategy)s->strategy;
    t->patience = s->patience;
    t->compilers = s->compilers ? s->compilers : t->compilers;
    t->budget = isnan(s->budget) ? 0 : s->budget;
    t->resume = s->resume;
    t->dense = s->dense;
    t->prove = s->prove;
    c->precision = s->precision;
    c->precision_chosen = s->precision_chosen;
    c->mode = s->prove ? STRICT : s->mode;
    c->positivity = s->positivity;
    c->nx = s->nx ? s->nx : c->nx;
    c->ny = s->ny ? s->ny : c->nx;
    c->device = s->device;
    c->threads = s->threads;
    snprintf(c->input, sizeof c->input, "%s", s->flow);
    snprintf(c->limiter, sizeof c->limiter, "%s", s->limiter);
    snprintf(c->flux, sizeof c->flux, "%s", s->flux);
    snprintf(c->reconstruction, sizeof c->reconstruction, "%s", s->reconstruction);
    snprintf(c->march, sizeof c->march, "%s", s->march);
    return tune_choose(t, s->kernels);
}

/* With the blocks that were found (thesis 4.4.1): measurements with other blocks do not apply. */
static enum err time_schemes(const struct tune_setup *t, int nx)
{
    const struct measure_setup m = {.backend = t->backend,
                                    .device = t->config.device,
                                    .threads = t->config.threads,
                                    .nx = nx,
                                    .precision = t->config.precision,
                                    .again = !t->resume};
    return measure_experiments(&m, (const char *const[]){"schemes"}, 1);
}

static enum err cmd_tune(const struct call *call)
{
    static struct tune_setup t;
    const struct settings *s = call->settings;
    TRY(configure(s, &t));
    if (s->dense && t.strategy != SEARCH_EXHAUSTIVE)
        FAIL(USAGE, "--dense tries every possible block: only with --strategy exhaustive");
    if (s->prove && s->resume)
        FAIL(USAGE, "--prove stores nothing, so there is nothing to --resume");
    TRY(tune_run(&t));
    return s->prove || *s->kernels ? ERR_OK : time_schemes(&t, s->nx);
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "",
    .title = "finds the best blocks and scheme for this machine",
    .place = 7,
    .about = "Times every kernel with many blocks on real states of a running flow, and stores\n"
             "the results in the tuning database (tuning_db/, or SHOAL_DB), where `shoal run`\n"
             "looks for the best block. Then times the schemes with these blocks, for `shoal run\n"
             "--scheme auto`. Checks every block's answer first. You can stop it at any time:\n"
             "measurements are kept, and --resume continues.",
    .examples = "  shoal tune\n"
                "  shoal tune --strategy exhaustive --nx 8192 --resume\n"
                "  shoal tune --kernel flux_fgh,rk --precision f64\n"
                "  shoal tune --prove --kernel flux_fgh0",
    .details = print_strategies,
    .options = options,
    .settings = sizeof(struct settings),
    .instead = "--kernel",
    .run = cmd_tune,
};
