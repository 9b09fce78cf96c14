/* Going on from a checkpoint: it must be one of the same run, and the sim takes all that it holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/checkpoint_parts.h"
#include "core/base/log.h"

static const struct stored_array *find(const struct content *c, const char *prefix,
                                       const char *name)
{
    const size_t n = strlen(prefix);
    for (int k = 0; k < c->count; k++)
        if (strncmp(c->array[k].name, prefix, n) == 0 && strcmp(c->array[k].name + n, name) == 0)
            return &c->array[k];
    return NULL;
}

/* The array, of the size that it must have here. */
static enum err get(const struct content *c, const char *prefix, const char *name, size_t bytes,
                    const char *path, const struct stored_array **a)
{
    *a = find(c, prefix, name);
    if (!*a)
        FAIL(USAGE,
             "--restart %s: the run that wrote it kept no '%s': leave out the option that asks for "
             "it, or start afresh",
             path, name);
    if ((*a)->bytes != bytes)
        FAIL(USAGE, "--restart %s: its '%s' has %zu bytes, and this run needs %zu", path, name,
             (*a)->bytes, bytes);
    return ERR_OK;
}

/* The same settings may come with another terrain. */
static enum err check_bed(const struct sim *s, const struct content *c, const char *path)
{
    const size_t nx = (size_t)(s->turned ? s->grid.ny : s->grid.nx) + 1;
    const size_t ny = (size_t)(s->turned ? s->grid.nx : s->grid.ny) + 1;
    const struct stored_array *there;
    size_t k = 0;
    if (!s->system->over_bed)
        return ERR_OK;
    TRY(get(c, "", CHECKPOINT_BED, nx * ny * sizeof(double), path, &there));
    double *here = malloc(there->bytes);
    if (!here)
        FAIL(MEMORY, "no memory for the bed");
    sim_bed(s, NULL, here);
    while (k < nx * ny && here[k] == ((const double *)there->data)[k])
        k++;
    free(here);
    if (k < nx * ny)
        FAIL(USAGE,
             "--restart %s: the bed at corner (%zu, %zu) is not that of the run that wrote it: "
             "that is another problem",
             path, k % nx, k / nx);
    return ERR_OK;
}

/* The clock goes on, towards this run's end. */
static enum err check_clock(const struct sim *s, const struct content *c, const char *path,
                            struct clock *now)
{
    const struct stored_array *a;
    TRY(get(c, CHECKPOINT_STATE, "clock", sizeof *now, path, &a));
    memcpy(now, a->data, sizeof *now);
    if (!(now->t < s->t_end))
        FAIL(USAGE,
             "--restart %s: the checkpoint is at t = %.9g s already: choose a --t-end later than "
             "that, not %.9g",
             path, now->t, s->t_end);
    if (now->steps >= s->now.step_limit)
        FAIL(USAGE,
             "--restart %s: the checkpoint is after step %lu already: choose more --steps, not %lu",
             path, now->steps, s->now.step_limit);
    now->t_end = s->t_end;
    now->step_limit = s->now.step_limit;
    now->t_pause = (double)INFINITY;
    now->halt = RUNNING;
    now->map_age = s->now.map_age; /* early exit begins anew */
    return ERR_OK;
}

static enum err check(const struct sim *s, const struct problem *p, const struct content *c,
                      const char *path)
{
    char *ours;
    const struct stored_array *a;
    TRY(checkpoint_settings(s, p, &ours));
    const enum err e = checkpoint_compare(c->settings, ours, path);
    free(ours);
    TRY(e);
    TRY(check_bed(s, c, path));
    for (int k = 0; k < s->system->unknowns; k++)
        TRY(get(c, "", s->system->unknown[k].name,
                (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size, path, &a));
    for (int k = 0; k < s->array_count; k++)
        if (s->array[k].kept)
            TRY(get(c, CHECKPOINT_STATE, s->array[k].name, sim_kept_bytes(s, &s->array[k]), path,
                    &a));
    return ERR_OK;
}

static enum err take_content(struct sim *s, const struct content *c, const struct clock *now)
{
    for (int k = 0; k < s->system->unknowns; k++)
        TRY(sim_write(s, sim_unknown(s, k), NULL, find(c, "", s->system->unknown[k].name)->data));
    for (int k = 0; k < s->array_count; k++)
        if (s->array[k].kept)
            TRY(sim_take(s, &s->array[k], find(c, CHECKPOINT_STATE, s->array[k].name)->data));
    sim_set_clock(s, now, c->wall);
    return ERR_OK;
}

enum err checkpoint_restore(struct sim *s, const struct problem *p, const char *path,
                            size_t rows[SERIES])
{
    enum err e = ERR_OK;
    struct content c;
    struct clock now;
    TRY(checkpoint_read(&c, s->system, path));
    TRY_OUT(check(s, p, &c, path));
    TRY_OUT(check_clock(s, &c, path, &now));
    TRY_OUT(take_content(s, &c, &now));
    memcpy(rows, c.rows, sizeof c.rows);
    log_info("goes on from %s: step %lu, t = %.9g s", path, s->now.steps, s->now.t);
out:
    content_free(&c);
    return e;
}
