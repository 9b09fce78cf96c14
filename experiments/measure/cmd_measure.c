/* `shoal measure`: whole runs on this device, entered into the tuning database. */
#include <stdio.h>
#include <string.h>

#include "core/arguments.h"
#include "core/catalog.h"
#include "core/commands.h"
#include "core/config.h"
#include "core/gpu.h"
#include "experiments/measure/measure.h"

struct settings {
    char backend[NAME_LENGTH], precision[NAME_LENGTH];
    int device, threads, nx;
};

enum { MOST = 16, MOST_CELLS_ALONG = 65536 };

#define NUMBER(member, least, most) NUMBER_IN(struct settings, member, least, most)
static const struct argument choices[] = {
    {"backend", "NAME", "auto (a GPU if there is one), cpu or cuda",
     WORD_IN(struct settings, backend)},
    {"device", "N", "which GPU", NUMBER(device, 0, 1023)},
    {"threads", "N", "CPU threads; default: one per core", NUMBER(threads, 0, 4096)},
    {"nx", "N", "cells along the largest runs; default: the experiment's",
     NUMBER(nx, 8, MOST_CELLS_ALONG)},
    {"precision", "P", "f32 or f64; default: the experiment's",
     WORD_IN(struct settings, precision)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

void cmd_measure_help(void)
{
    puts("usage: shoal measure EXPERIMENT... [options]\n"
         "\n"
         "Makes whole runs on this device and enters what came of them into the tuning database\n"
         "(tuning_db/, or SHOAL_DB): <device>/<environment>/experiments/EXPERIMENT.tsv. Prints a\n"
         "table of them. Run `shoal tune` first: the runs take their blocks from the database.\n"
         "\n"
         "experiments:");
    for (int k = 0; experiments[k]; k++)
        printf("  %-10s %s\n", experiments[k]->name, experiments[k]->title);
    puts("\noptions:");
    arguments_help(choices, CHOICES);
    puts("\n"
         "examples:\n"
         "  shoal measure schemes\n"
         "  shoal measure schemes accuracy dt_factor --backend cuda\n"
         "  shoal measure accuracy --nx 256 --precision f64");
}

static enum err choose(const char *const *word, int words, const struct experiment *chosen[MOST])
{
    struct catalog known = {0};
    for (int k = 0; experiments[k]; k++)
        catalog_add(&known, experiments[k]->name);
    if (words == 0)
        FAIL(USAGE, "nothing to measure: name an experiment, such as `shoal measure schemes`; "
                    "`shoal measure --help` lists them");
    for (int k = 0; k < words; k++) {
        int m = 0;
        while (experiments[m] && strcmp(experiments[m]->name, word[k]) != 0)
            m++;
        if (!experiments[m])
            return catalog_unknown(&known, "experiment", word[k], NULL);
        chosen[k] = experiments[m];
    }
    return ERR_OK;
}

enum err cmd_measure(int argc, char **argv)
{
    struct settings s = {.nx = 0};
    struct measure_setup setup = {.precision = -1};
    const struct experiment *chosen[MOST];
    const char *word[MOST];
    struct arguments a = {
        .command = "measure", .table = choices, .count = CHOICES, .word = word, .most = MOST};
    TRY(arguments_read(&a, argc, argv, &s));
    TRY(choose(word, a.words, chosen));
    TRY(gpu_or_cpu(s.backend, s.device, &setup.backend));
    TRY(arguments_one_of("precision", s.precision, precision_names, &setup.precision));
    setup.device = s.device;
    setup.threads = s.threads;
    setup.nx = s.nx;
    return measure_experiments(&setup, chosen, a.words);
}
