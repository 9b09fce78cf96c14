/* `shoal bench`: measures the experiments bench* again, on each backend, and prints the results
 * with the state of the machine. */
#include <stdio.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/command.h"
#include "core/options/run_config.h"
#include "core/device/gpu_probe.h"
#include "core/device/nvml.h"
#include "core/base/version.h"
#include "experiments/measure/measure_parts.h"

enum { MOST = 64, MOST_CELLS_ALONG = 131072 };

static const struct option options[] = {
    {"nx", "N", "cells from west to east", COUNT_IN(struct measure_setup, nx, 8, MOST_CELLS_ALONG),
     .unset = "all sizes"},
    {"precision", "P", "f32 or f64", CHOICE_IN(struct measure_setup, precision, precision_names),
     .unset = "both"},
    {"device", "N", "which GPU", COUNT_IN(struct measure_setup, device, 0, 1023), .initial = "0"},
    DIVISION_OPTIONS(struct measure_setup, division),
    {"threads", "N", "CPU threads", COUNT_IN(struct measure_setup, threads, 0, 4096),
     .unset = "one per core"},
    {.name = NULL},
};

/* The experiments to measure. */
struct names {
    char text[MOST][EXPERIMENT_NAME + 1];
    const char *at[MOST];
    int count;
};

/* Those that measure something on this backend, and support parts if requested. */
static enum err add_name(struct names *n, const char *name, const struct measure_setup *setup)
{
    const int divided = division_divides(&setup->division);
    struct experiment x = {0};
    TRY(experiment_read(&x, name));
    const enum err fits = measure_backend_check(&x, setup->backend);
    const int wanted = !fits && experiment_section(&x, "measure", 0) && n->count < MOST &&
                       (!divided || measure_divides(&x));
    experiment_free(&x);
    if (wanted) {
        snprintf(n->text[n->count], sizeof n->text[0], "%s", name);
        n->at[n->count] = n->text[n->count];
        n->count++;
    }
    return fits == ERR_ABSENT ? ERR_OK : fits;
}

static enum err find_names(struct names *n, const struct measure_setup *setup)
{
    struct experiment_list all;
    enum err e = ERR_OK;
    n->count = 0;
    TRY(experiment_list_read(&all));
    for (int k = 0; k < all.count && !e; k++)
        if (strncmp(all.name[k], "bench", strlen("bench")) == 0)
            e = add_name(n, all.name[k], setup);
    experiment_list_free(&all);
    if (!e && !n->count)
        FAIL(INPUT, "there is nothing to measure: no experiments/bench*.ini for %s",
             backends[setup->backend]->name);
    return e;
}

static enum err describe(const struct measure_setup *setup, struct device_info *info)
{
    const struct backend *b = backends[setup->backend];
    const struct device_options o = {
        .device = setup->device, .threads = setup->threads, .march = "native"};
    struct device *dev = NULL;
    TRY(b->open(&dev, &o));
    *info = *b->info(dev);
    b->close(dev);
    printf("# %s: %s, %s, %d %s, compiler %s%s%s\n", b->name, info->name, info->target, info->units,
           setup->backend == CUDA ? "multiprocessors" : "threads", info->compiler,
           *info->driver ? ", driver " : "", info->driver);
    return ERR_OK;
}

/* A rate means little without its clocks. */
static void print_clocks(const char *when, const struct device_info *i)
{
    char state[1024];
    if (!*i->bus)
        return;
    nvml_describe(i->bus, state, sizeof state);
    printf("# clocks %s: %s\n", when, state);
    fflush(stdout);
}

static enum err bench(const struct measure_setup *setup)
{
    struct device_info info;
    struct names names;
    TRY(find_names(&names, setup));
    TRY(describe(setup, &info));
    print_clocks("before", &info);
    TRY(measure_experiments(setup, names.at, names.count));
    print_clocks("after", &info);
    return ERR_OK;
}

/* A backend requested by name, or a GPU by its number, must be available. */
static enum err bench_backends(struct measure_setup *setup, const char *wanted)
{
    struct gpu gpu;
    char why[512];
    int known = 0;
    for (int k = 0; k < BACKENDS; k++)
        known |= wanted && strcmp(wanted, backends[k]->name) == 0;
    if (wanted && !known)
        FAIL(USAGE, "unknown backend '%s': expected cpu or cuda", wanted);
    TRY(gpu_find(setup->device, &gpu));
    if (!wanted && !gpu.here)
        TRY(gpu_spared(setup->device, gpu.why));
    printf("# shoal %s (commit %s)\n", shoal_version, shoal_commit);
    for (int k = 0; k < BACKENDS; k++) {
        setup->backend = (enum backend_kind)k;
        if (wanted && strcmp(wanted, backends[k]->name) != 0)
            continue;
        if (backends[k]->available(setup->device, why, sizeof why))
            TRY(bench(setup));
        else if (wanted)
            FAIL(ABSENT, "%s is not available here: %s", wanted, why);
        else
            printf("# %s: not available here: %s\n", backends[k]->name, why);
    }
    return ERR_OK;
}

static enum err cmd_bench(const struct call *call)
{
    struct measure_setup *setup = call->settings;
    setup->again = 1;
    if (setup->division.devices.count > 0)
        setup->device = setup->division.devices.of[0];
    return bench_backends(setup, call->words ? call->word[0] : NULL);
}

const struct command command_bench = {
    .name = "bench",
    .arguments = "[cpu|cuda]",
    .title = "measures how fast this machine is",
    .place = 10,
    .about =
        "Measures the speed of whole steps on this machine, including boundaries and the\n"
        "choice of the time step, and the device's peak rates: the experiments of\n"
        "experiments/bench*.ini, as a new session of the tuning database (tuning_db/, or\n"
        "SHOAL_DB), and prints the results. An update is one full step of one cell, all its\n"
        "stages.\n"
        "\n"
        "  median least most   10^9 cell updates/s: of the windows of a run\n"
        "  change %            of the median, against the session before of this device\n"
        "  % of copy           the bytes that the scheme's kernels must move for an update, each\n"
        "                      input read once and each output written once, at this speed, in\n"
        "                      percent of the bytes that a copy moves in the same time\n"
        "  J                   of 10^9 updates, by the GPU's counter of energy\n"
        "  blocks              where the kernels' blocks are from: tuned, default, mixed",
    .examples = "  shoal bench\n"
                "  shoal bench cpu --nx 256 --precision f32\n"
                "  shoal bench cuda --devices 0,1",
    .options = options,
    .settings = sizeof(struct measure_setup),
    .most = 1,
    .run = cmd_bench,
};
