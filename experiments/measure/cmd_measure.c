/* `shoal measure`: measures experiments on this device, into the tuning database. */
#include <stdio.h>

#include "core/registry/command.h"
#include "core/options/run_config.h"
#include "core/device/gpu_probe.h"
#include "experiments/measure/measure.h"

struct settings {
    struct measure_setup setup;
    int backend;
};

enum { MOST = 128, MOST_CELLS_ALONG = 131072 };

static const struct option options[] = {
    {"backend", "NAME", "auto: a GPU if there is one; cpu or cuda",
     CHOICE_IN(struct settings, backend, backend_words), .initial = "auto"},
    {"device", "N", "which GPU", COUNT_IN(struct settings, setup.device, 0, 1023), .initial = "0"},
    DIVISION_OPTIONS(struct settings, setup.division),
    {"threads", "N", "CPU threads", COUNT_IN(struct settings, setup.threads, 0, 4096),
     .unset = "one per core"},
    {"nx", "N", "cells from west to east", COUNT_IN(struct settings, setup.nx, 8, MOST_CELLS_ALONG),
     .unset = "the experiment's sizes"},
    {"precision", "P", "f32 or f64", CHOICE_IN(struct settings, setup.precision, precision_names),
     .unset = "the experiment's"},
    {"again", NULL, "begins a new session, even if the last one was interrupted",
     FLAG_IN(struct settings, setup.again)},
    {.name = NULL},
};

static enum err cmd_measure(const struct call *call)
{
    struct settings *s = call->settings;
    if (s->setup.division.devices.count > 0)
        s->setup.device = s->setup.division.devices.of[0];
    TRY(gpu_or_cpu(s->backend, s->setup.device, &s->setup.backend));
    return measure_experiments(&s->setup, call->word, call->words);
}

const struct command command_measure = {
    .name = "measure",
    .arguments = "EXPERIMENT...",
    .title = "measures whole runs for the database",
    .place = 8,
    .about = "Measures experiments/EXPERIMENT.ini on this device, and stores the results in the\n"
             "tuning database (tuning_db/, or SHOAL_DB):\n"
             "<device>/<environment>/experiments/EXPERIMENT.tsv. `shoal list experiments` lists\n"
             "them, with the time each takes. You can stop it at any time: the same command\n"
             "resumes. Run `shoal tune` first: runs take their blocks from the database. With\n"
             "--devices or --parts the rows belong to a device of their own, such as\n"
             "\"2 x NVIDIA H200, 2 parts\".",
    .examples = "  shoal measure schemes\n"
                "  shoal measure schemes accuracy dt-factor --backend cuda\n"
                "  shoal measure accuracy --nx 256 --precision f64\n"
                "  shoal measure schemes --devices 0,1",
    .options = options,
    .settings = sizeof(struct settings),
    .least = 1,
    .most = MOST,
    .missing = "nothing to measure: name an experiment, such as `shoal measure schemes`; "
               "`shoal list experiments` lists them",
    .run = cmd_measure,
};
