/* Writing checkpoints. */
#include "core/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/breakdown.h"
#include "core/checkpoint_parts.h"
#include "core/result.h"

struct checkpoint {
    struct sim *sim;
    const struct problem *problem;
    const char *command_line;
    char path[FILE_LENGTH + 32];
    struct content content;
};

enum { BED, W, HU, HV };

static enum err prepare(struct checkpoint *c)
{
    struct sim *s = c->sim;
    const struct grid_info *g = &c->problem->setup.grid;
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    const size_t corners = ((size_t)g->nx + 1) * ((size_t)g->ny + 1);
    TRY(checkpoint_settings(s, c->problem, &c->content.settings));
    for (int k = 0; k < CHECKPOINT_FIXED; k++)
        TRY(content_add(&c->content, "", fixed_arrays[k],
                        (k == BED ? corners : cells) * s->real_size));
    for (const struct kept *k = s->kept; k->name; k++)
        TRY(content_add(&c->content, CHECKPOINT_STATE, k->name, k->bytes));
    sim_bed(s, c->content.array[BED].data);
    return ERR_OK;
}

enum err checkpoint_open(struct checkpoint **out, struct sim *s, const struct problem *p,
                         const char *command_line)
{
    *out = NULL;
    if (!s->config->output[0])
        return ERR_OK;
    struct checkpoint *c = calloc(1, sizeof *c);
    if (!c)
        FAIL(MEMORY, "no memory for checkpoints");
    c->sim = s;
    c->problem = p;
    c->command_line = command_line;
    snprintf(c->path, sizeof c->path, "%s" CHECKPOINT_ENDING, s->config->output);
    const enum err e = prepare(c);
    if (e)
        checkpoint_close(&c);
    *out = c;
    return e;
}

void checkpoint_close(struct checkpoint **c)
{
    if (*c)
        content_free(&(*c)->content);
    free(*c);
    *c = NULL;
}

const char *checkpoint_path(const struct checkpoint *c)
{
    return c->path;
}

static int is_finite(const struct array *a, size_t real_size)
{
    const size_t n = a->bytes / real_size;
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
    for (size_t k = 0; k < n; k++)
        bad += real_size == sizeof(double) ? !isfinite(((const double *)a->data)[k])
                                           : !isfinite(((const float *)a->data)[k]);
    return bad == 0;
}

static enum err fetch(struct checkpoint *c)
{
    struct sim *s = c->sim;
    struct array *a = c->content.array;
    for (int k = 0; k < 3; k++) {
        TRY(sim_download(s, k, a[W + k].data));
        if (!is_finite(&a[W + k], s->real_size))
            return breakdown_error(s);
    }
    for (int k = 0; s->kept[k].name; k++)
        TRY(s->backend->download(s->device, a[CHECKPOINT_FIXED + k].data, s->kept[k].p,
                                 s->kept[k].bytes));
    c->content.wall = s->wall;
    return ERR_OK;
}

static enum err fill(const struct checkpoint *c, struct ncwriter *w)
{
    const struct array *a = c->content.array;
    char digest[SHA256_DIGITS + 1];
    TRY(content_digest(&c->content, digest));
    const struct attribute list[] = {
        {CHECKPOINT_VERSION, ATTRIBUTE_INT, .integer = CHECKPOINT_LAYOUT},
        {CHECKPOINT_DIGEST, ATTRIBUTE_TEXT, .text = digest},
        {CHECKPOINT_SETTINGS, ATTRIBUTE_TEXT, .text = c->content.settings},
        {CHECKPOINT_WALL, ATTRIBUTE_DOUBLE, .number = c->content.wall},
        {"steps", ATTRIBUTE_INT, .integer = (long)c->sim->now.steps},
    };
    const struct ncwrite_record record = {.t = c->sim->now.t,
                                          .w = a[W].data,
                                          .hu = a[HU].data,
                                          .hv = a[HV].data,
                                          .pitch = c->problem->setup.grid.nx};
    TRY(result_describe(w, c->sim, c->problem, c->command_line));
    TRY(ncwrite_attributes(w, list, sizeof list / sizeof *list));
    TRY(ncwrite_record(w, &record));
    for (int k = CHECKPOINT_FIXED; k < c->content.count; k++)
        TRY(ncwrite_bytes(w, a[k].name, a[k].data, a[k].bytes));
    return ERR_OK;
}

enum err checkpoint_write(struct checkpoint *c)
{
    const struct ncwrite_info info = {
        .path = c->path,
        .grid = c->problem->setup.grid,
        .precision = (enum precision)c->sim->config->precision,
        .variables = 1 << OUTPUT_W | 1 << OUTPUT_HU | 1 << OUTPUT_HV,
        .bed = c->content.array[BED].data,
        .bed_pitch = c->problem->setup.grid.nx + 1,
    };
    struct ncwriter *w = NULL;
    TRY(fetch(c));
    TRY(ncwrite_create(&w, &info));
    enum err e = fill(c, w);
    if (!e)
        return ncwrite_finish(&w);
    ncwrite_discard(&w);
    return e;
}
