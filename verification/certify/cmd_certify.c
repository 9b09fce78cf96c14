/* `shoal certify`: makes every comparison on every available backend, and compares with the stored
 * bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/catalog.h"
#include "core/registry/command.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "verification/certify/table.h"
#include "verification/run/session.h"

struct settings {
    char schemes[VARIABLES_LENGTH], cases[VARIABLES_LENGTH * 4];
    char output[FILE_LENGTH];
    int backend, device, update, record;
    struct division division;
};

static const struct option options[] = {
    {"scheme", "NAME[,NAME]", "only these", NAMES_IN(struct settings, schemes, LIST_SCHEMES)},
    {"case", "NAME[,NAME]", "only these, and only comparisons of cases",
     NAMES_IN(struct settings, cases, LIST_CASES)},
    {"backend", "NAME", "auto: all available ones; cpu or cuda",
     CHOICE_IN(struct settings, backend, backend_words), .initial = "auto"},
    {"device", "N", "which GPU", COUNT_IN(struct settings, device, 0, 4096), .initial = "0"},
    DIVISION_OPTIONS(struct settings, division),
    {"update", NULL, "stores the CPU's bits, then compares", FLAG_IN(struct settings, update)},
    {"record", NULL, "notes in the repository that this device has confirmed them",
     FLAG_IN(struct settings, record)},
    {"output", "FOLDER", "folder for certificate.md and .html", PATH_IN(struct settings, output),
     .unset = "build/certify"},
    {.name = NULL},
};

static enum err resolve(struct certifying *c, const struct settings *s, struct gpu *g)
{
    if (s->record && (*s->schemes || *s->cases))
        FAIL(USAGE, "--record notes that all bits were confirmed: leave out --scheme and --case");
    if (s->update && s->backend == CUDA)
        FAIL(USAGE, "--update stores the CPU's bits: leave out --backend cuda");
    if (s->record && division_divides(&s->division))
        FAIL(USAGE, "--record notes the results of one device: leave out --devices and --parts");
    if (s->update && division_divides(&s->division))
        FAIL(USAGE,
             "--update stores the bits of runs in one piece: leave out --devices and --parts");
    strcpy(c->schemes, s->schemes);
    c->division = s->division;
    strcpy(c->cases, s->cases);
    c->device = s->division.devices.count > 0 ? s->division.devices.of[0] : s->device;
    TRY(session_backends(s->backend, c->device, c->on, g));
    if (!c->on[CUDA])
        snprintf(c->no_cuda, sizeof c->no_cuda, "%s", g->here ? "not requested" : g->why);
    return ERR_OK;
}

/* A child has probed the GPU: none may be open in this process when workers are forked. */
static enum err begin_records(struct sheet *p, const struct gpu *g)
{
    const struct device_options o = {.threads = 1, .march = "native"};
    struct device *dev = NULL;
    if (p->c->on[CUDA])
        record_begin(&p->here[CUDA], &g->info);
    if (!p->c->on[CPU])
        return ERR_OK;
    TRY(backend_cpu.open(&dev, &o));
    record_begin(&p->here[CPU], backend_cpu.info(dev));
    backend_cpu.close(dev);
    return ERR_OK;
}

static enum err ask_all(struct sheet *p, struct certifying *c)
{
    for (int q = 0; q < QUESTIONS; q++) {
        for (int b = 0; b < BACKENDS; b++) {
            struct answer *a = &p->here[b].answer[q];
            if (!c->on[b] || !questions[q].on[b] || (*c->cases && !questions[q].of_cases))
                continue;
            TRY(certify_ask(c, q, (enum backend_kind)b, a));
        }
    }
    return ERR_OK;
}

static enum err update(struct certifying *c)
{
    struct update done;
    TRY(certify_update(c, &done));
    printf("stored: %d runs, %d of them new, %d with other bits than before; %d dropped\n\n",
           c->stored.count, done.added, done.changed, done.dropped);
    return ERR_OK;
}

static enum err record(const struct sheet *p, const struct certifying *c)
{
    char path[PATH_LENGTH];
    for (int b = 0; b < BACKENDS && !c->differences; b++) {
        struct record r = p->here[b];
        if (!c->on[b])
            continue;
        r.runs = c->computed[b];
        TRY(record_write(&r, path));
        printf("recorded: %s\n", path);
    }
    return ERR_OK;
}

static enum err conclude(const struct sheet *p, const struct certifying *c, double wall)
{
    int compared = 0, same = 0, apart = 0;
    for (int b = 0; b < BACKENDS; b++)
        for (int q = 0; q < QUESTIONS; q++) {
            const struct answer *a = &p->here[b].answer[q];
            compared += a->compared;
            same += a->same;
            apart += a->apart;
        }
    printf("certify: compared=%d same=%d differ=%d apart=%d wall=%.1f\n", compared, same,
           compared - same, apart, wall);
    if (!c->differences)
        return ERR_OK;
    FAIL(CHECK,
         "%d of %d comparisons found other bits. If you mean to change the stored ones, `make "
         "certify UPDATE=1` stores the new ones, and the commit must say why",
         compared - same, compared);
}

/* build/certify unless chosen. */
static enum err make_folder(const struct settings *s, char folder[PATH_LENGTH])
{
    snprintf(folder, PATH_LENGTH, "%.4000s", s->output);
    TRY(session_output(folder, PATH_LENGTH, "certify", NULL));
    return paths_folder(folder, "choose another with --output");
}

static enum err certify(struct sheet *p, struct certifying *c, const struct settings *s)
{
    const double began = seconds();
    char folder[PATH_LENGTH];
    TRY(make_folder(s, folder));
    if (s->update)
        TRY(update(c));
    TRY(ask_all(p, c));
    TRY(sheet_write(p, folder, stdout));
    printf("table: %s/certificate.html, and as text: %s/certificate.md\n", folder, folder);
    if (s->record)
        TRY(record(p, c));
    return conclude(p, c, seconds() - began);
}

static enum err cmd_certify(const struct call *call)
{
    const struct settings *s = call->settings;
    struct certifying c = {0};
    struct records records = {0};
    struct gpu g;
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    struct sheet *p = calloc(1, sizeof *p);
    if (!p)
        FAIL(MEMORY, "no memory for a table");
    TRY_OUT(resolve(&c, s, &g));
    TRY_OUT(certificate_path(path));
    TRY_OUT(certificate_read(&c.stored, path));
    TRY_OUT(records_read(&records, &c.stored));
    log_quiet(2);
    p->c = &c;
    p->records = &records;
    TRY_OUT(begin_records(p, &g));
    TRY_OUT(certify(p, &c, s));
out:
    records_free(&records);
    certifying_free(&c);
    free(p);
    return e;
}

const struct command command_certify = {
    .name = "certify",
    .arguments = "",
    .title = "checks what is the same to the last bit",
    .place = 6,
    .about = "Checks what must be the same to the last bit in strict mode: runs each scheme on\n"
             "each case in both precisions, and compares the results with\n"
             "verification/certificate.tsv, on the CPU and, if there is one, on a GPU. Then\n"
             "runs small flows again with other threads, blocks, orders, compilers and so on.\n"
             "Prints a row for each comparison: how many runs gave the same bits, here and on\n"
             "the recorded devices. If a bit differs, names scheme, case and precision, and ends\n"
             "with status 1.\n"
             "\n"
             "A change of the code that is meant to change bits stores the new ones with\n"
             "--update; its commit says why.",
    .examples = "  shoal certify\n"
                "  shoal certify --scheme rk2 --case lake,bend\n"
                "  shoal certify --backend cuda --record\n"
                "  shoal certify --backend cpu --parts 3\n"
                "  shoal certify --update\n"
                "  shoal certify --update --scheme my_scheme",
    .options = options,
    .settings = sizeof(struct settings),
    .instead = "--case",
    .run = cmd_certify,
};
