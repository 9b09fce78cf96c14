/* `shoal measure`: what experiments ask for, on this device, into the tuning database. */
#include <stdio.h>

#include "core/options/arguments.h"
#include "core/registry/command.h"
#include "core/options/run_config.h"
#include "core/device/gpu_probe.h"
#include "experiments/measure/measure.h"

struct settings {
    char backend[NAME_LENGTH], precision[NAME_LENGTH];
    int device, threads, nx, again;
};

enum { MOST = 128, MOST_CELLS_ALONG = 65536 };

#define NUMBER(member, least, most) NUMBER_IN(struct settings, member, least, most)
static const struct argument choices[] = {
    {"backend", "NAME", "auto (a GPU if there is one), cpu or cuda",
     WORD_IN(struct settings, backend)},
    {"device", "N", "which GPU", NUMBER(device, 0, 1023)},
    {"threads", "N", "CPU threads; default: one per core", NUMBER(threads, 0, 4096)},
    {"nx", "N", "cells from west to east, instead of the experiment's sizes",
     NUMBER(nx, 8, MOST_CELLS_ALONG)},
    {"precision", "P", "f32 or f64; default: the experiment's",
     WORD_IN(struct settings, precision)},
    {"again", NULL, "begins anew, also where the last session was stopped",
     FLAG_IN(struct settings, again)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void cmd_measure_help(void)
{
    puts(
        "usage: shoal measure EXPERIMENT... [options]\n"
        "\n"
        "Measures on this device what experiments/EXPERIMENT.ini asks for, and enters it into the\n"
        "tuning database (tuning_db/, or SHOAL_DB):\n"
        "<device>/<environment>/experiments/EXPERIMENT.tsv. `shoal list experiments` lists them,\n"
        "and each says how long it takes. It can be stopped at any time: the same command goes on\n"
        "where it was. Run `shoal tune` first: runs take their blocks from the database.\n"
        "\n"
        "options:");
    arguments_help(choices, CHOICES);
    puts("\n"
         "examples:\n"
         "  shoal measure schemes\n"
         "  shoal measure schemes accuracy dt-factor --backend cuda\n"
         "  shoal measure accuracy --nx 256 --precision f64");
}

static enum err cmd_measure(int argc, char **argv)
{
    struct settings s = {.nx = 0};
    struct measure_setup setup = {.precision = -1};
    const char *word[MOST];
    int backend;
    struct arguments a = {
        .command = "measure", .table = choices, .count = CHOICES, .word = word, .most = MOST};
    TRY(arguments_read(&a, argc, argv, &s));
    if (a.words == 0)
        FAIL(USAGE, "nothing to measure: name an experiment, such as `shoal measure schemes`; "
                    "`shoal list experiments` lists them");
    TRY(arguments_backend(s.backend, &backend));
    TRY(gpu_or_cpu(backend, s.device, &setup.backend));
    TRY(arguments_one_of("precision", s.precision, precision_names, &setup.precision));
    setup.device = s.device;
    setup.threads = s.threads;
    setup.nx = s.nx;
    setup.again = s.again;
    return measure_experiments(&setup, word, a.words);
}

const struct command command_measure = {
    .name = "measure",
    .arguments = "EXPERIMENT...",
    .title = "fills the database with whole runs",
    .place = 8,
    .run = cmd_measure,
    .help = cmd_measure_help,
};
