/* `shoal tune`: finds the best block of every kernel, and the best scheme, on this machine. */
#include <stdio.h>
#include <string.h>

#include "core/options/arguments.h"
#include "core/registry/catalog.h"
#include "core/registry/command.h"
#include "core/device/gpu_probe.h"
#include "experiments/measure/measure.h"
#include "experiments/tuner/tune.h"

struct settings {
    char kernels[1024], strategy[NAME_LENGTH], backend[NAME_LENGTH], precision[NAME_LENGTH],
        mode[NAME_LENGTH], flow[NAME_LENGTH], limiter[NAME_LENGTH], flux[NAME_LENGTH],
        reconstruction[NAME_LENGTH], march[NAME_LENGTH];
    double budget, patience;
    int resume, prove, dense, nx, ny, device, threads, compilers;
};

#define WORD(member)          WORD_IN(struct settings, member)
#define FLAG(member)          FLAG_IN(struct settings, member)
#define NUMBER(member, least) NUMBER_IN(struct settings, member, least, 1 << 20)
static const struct argument choices[] = {
    {"kernel", "NAME[,NAME]", "only these kernels or stems, and no schemes; default: all",
     WORD(kernels)},
    {"strategy", "NAME", "how to search, see below; default: guided", WORD(strategy)},
    {"budget", "SECONDS", "ends searching in time; default: as long as it takes",
     REAL_IN(struct settings, budget, 1, 1e7)},
    {"dense", NULL, "every width and height, not the space alone; with --strategy exhaustive",
     FLAG(dense)},
    {"resume", NULL, "goes on with the same tuning that was interrupted", FLAG(resume)},
    {"prove", NULL, "compares the answers of all blocks, to the bit; times and stores nothing",
     FLAG(prove)},
    {"backend", "NAME", "auto (a GPU if there is one), cpu or cuda", WORD(backend)},
    {"device", "N", "which GPU", NUMBER(device, 0)},
    {"threads", "N", "CPU threads; default: one per core", NUMBER(threads, 0)},
    {"compilers", "N", "processes that compile; default: by the machine",
     NUMBER_IN(struct settings, compilers, 1, MOST_COMPILERS)},
    {"patience", "SECONDS", "a block that takes longer to answer is given up; default: 60",
     REAL_IN(struct settings, patience, 1, 1e5)},
    {"case", "NAME", "whose flow the kernels work on; default: circular-dam", WORD(flow)},
    {"nx", "N", "cells; default: 4096 on a GPU, 1024 on a CPU", NUMBER(nx, 1)},
    {"ny", "N", "default: as many as --nx", NUMBER(ny, 1)},
    {"precision", "P", "f32 (default) or f64", WORD(precision)},
    {"mode", "MODE", "fast (default) or strict", WORD(mode)},
    {"limiter", "NAME", "compiled into the flux kernels; default: minmod", WORD(limiter)},
    {"flux", "NAME", "the same; default: central_upwind", WORD(flux)},
    {"reconstruction", "NAME", "the same; default: kp", WORD(reconstruction)},
    {"march", "TARGET", "the CPU to compile for; default: native", WORD(march)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void cmd_tune_help(void)
{
    puts(
        "usage: shoal tune [options]\n"
        "\n"
        "Times every kernel with many blocks on real states of a running flow, and enters what it\n"
        "finds into the tuning database (tuning_db/, or SHOAL_DB), where `shoal run` looks for "
        "the\n"
        "best block. Then times the schemes with these blocks, for `shoal run --scheme auto`.\n"
        "Every block's answer is checked first. It can be stopped at any time: what was measured\n"
        "is kept, and --resume goes on.\n"
        "\n"
        "options:");
    arguments_help(choices, CHOICES);
    puts("\nstrategies:");
    for (int k = 0; k < STRATEGIES; k++)
        printf("  %-12s %s\n", strategy_names[k], strategy_titles[k]);
    puts("\n"
         "examples:\n"
         "  shoal tune\n"
         "  shoal tune --strategy exhaustive --nx 8192 --resume\n"
         "  shoal tune --kernel flux_fgh,rk --precision f64\n"
         "  shoal tune --prove --kernel flux_fgh0");
}

/* The settings as a run's configuration. */
static enum err configure(const struct settings *s, struct tune_setup *t)
{
    struct config *c = &t->config;
    enum backend_kind backend;
    int which, strategy;
    TRY(arguments_backend(s->backend, &which));
    TRY(gpu_or_cpu(which, s->device, &backend));
    tune_defaults(t, backend);
    strategy = (int)t->strategy;
    TRY(arguments_one_of("precision", s->precision, precision_names, &c->precision));
    TRY(arguments_one_of("mode", s->mode, mode_names, &c->mode));
    TRY(arguments_one_of("strategy", s->strategy, strategy_names, &strategy));
    t->strategy = s->prove ? SEARCH_EXHAUSTIVE : (enum strategy)strategy;
    c->mode = s->prove ? STRICT : c->mode;
    if (*s->flow)
        snprintf(c->input, sizeof c->input, "%s", s->flow);
    c->nx = s->nx ? s->nx : c->nx;
    c->ny = s->ny ? s->ny : c->nx;
    c->device = s->device;
    c->threads = s->threads;
    if (*s->limiter)
        snprintf(c->limiter, sizeof c->limiter, "%s", s->limiter);
    if (*s->flux)
        snprintf(c->flux, sizeof c->flux, "%s", s->flux);
    if (*s->reconstruction)
        snprintf(c->reconstruction, sizeof c->reconstruction, "%s", s->reconstruction);
    if (*s->march)
        snprintf(c->march, sizeof c->march, "%s", s->march);
    return ERR_OK;
}

/* A name that a run would refuse as well. */
static enum err check_name(enum listed list, const char *what, const char *name)
{
    struct catalog known;
    catalog_fill(&known, list);
    return catalog_has(&known, name) ? ERR_OK : catalog_unknown(&known, what, name, NULL);
}

static enum err check(const struct config *c)
{
    TRY(check_name(LIST_CASES, "case", c->input));
    TRY(check_name(LIST_LIMITERS, "limiter", c->limiter));
    TRY(check_name(LIST_FLUXES, "flux", c->flux));
    return check_name(LIST_RECONSTRUCTIONS, "reconstruction", c->reconstruction);
}

/* With the blocks that were found (thesis 4.4.1): what was measured with others says nothing of them. */
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

static enum err cmd_tune(int argc, char **argv)
{
    static struct tune_setup t;
    static struct settings s;
    struct arguments all = {
        .command = "tune", .table = choices, .count = CHOICES, .instead = "--kernel"};
    TRY(arguments_read(&all, argc, argv, &s));
    TRY(configure(&s, &t));
    TRY(tune_choose(&t, s.kernels));
    TRY(check(&t.config));
    t.budget = s.budget;
    t.resume = s.resume;
    t.dense = s.dense;
    if (s.dense && t.strategy != SEARCH_EXHAUSTIVE)
        FAIL(USAGE, "--dense takes every block there is: with --strategy exhaustive alone");
    t.prove = s.prove;
    t.patience = s.patience > 0 ? s.patience : t.patience;
    t.compilers = s.compilers ? s.compilers : t.compilers;
    if (s.prove && s.resume)
        FAIL(USAGE, "--prove stores nothing, so there is nothing to --resume");
    TRY(tune_run(&t));
    return s.prove || *s.kernels ? ERR_OK : time_schemes(&t, s.nx);
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "[options]",
    .title = "finds the best blocks and scheme for this machine",
    .place = 7,
    .run = cmd_tune,
    .help = cmd_tune_help,
};
