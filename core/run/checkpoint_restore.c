/* Resumes from a checkpoint: it must be one of the same run; the sim takes all that it holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/checkpoint_parts.h"
#include "core/base/log.h"
#include "core/sim/sparse.h"

static const struct stored_array *find(const struct content *c, const char *prefix,
                                       const char *name)
{
    const size_t n = strlen(prefix);
    for (int k = 0; k < c->count; k++)
        if (strncmp(c->array[k].name, prefix, n) == 0 && strcmp(c->array[k].name + n, name) == 0)
            return &c->array[k];
    return NULL;
}

/* The array, checked for the size that it must have here. */
static enum err get_array(const struct content *c, const char *prefix, const char *name,
                          size_t bytes, const char *path, const struct stored_array **a)
{
    *a = find(c, prefix, name);
    if (!*a)
        FAIL(USAGE,
             "--restart %s: its run kept no '%s': omit the option that asks for it; if none does, "
             "another version of Shoal wrote the checkpoint: resume with that one, or start afresh",
             path, name);
    if ((*a)->bytes != bytes)
        FAIL(USAGE, "--restart %s: '%s': expected %zu bytes, got %zu", path, name, (*a)->bytes,
             bytes);
    return ERR_OK;
}

static enum err get_unknown(const struct sim *s, const struct content *c, int k, const char *path,
                            const struct stored_array **a)
{
    return get_array(c, "", s->system->unknown[k].name,
                     (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size, path, a);
}

/* Rows of cells or corners read at once: of so many numbers or more, in whole chunks. */
enum { BAND = 1 << 21 };

static int rows_at_once(const struct stored_array *a, int nx, int ny)
{
    const int rows = BAND / nx + 1, high = (int)a->high;
    const int most = (rows + high - 1) / high * high;
    return most < ny ? most : ny;
}

static enum err another_bed(const char *path, int i, int j)
{
    FAIL(USAGE,
         "--restart %s: the bed at corner (%d, %d) differs from that of the checkpoint's run: that "
         "is another problem",
         path, i, j);
}

/* The corners of rows of cells; `here` and `there` have room for them. */
static enum err check_corners(const struct sim *s, const struct content *c,
                              const struct stored_array *bed, const struct window *w, double *here,
                              double *there, const char *path)
{
    const size_t row = (size_t)w->nx + 1, n = row * ((size_t)w->ny + 1);
    sim_bed(s, w, here);
    TRY(content_get(c, bed, (size_t)w->j0 * row * sizeof *there, n * sizeof *there, there));
    for (size_t k = 0; k < n; k++)
        if (!(here[k] == there[k]))
            return another_bed(path, (int)(k % row), w->j0 + (int)(k / row));
    return ERR_OK;
}

/* Its run had the same levels, which need not be compared one by one. */
static int has_source(const struct sim *s, const struct content *c)
{
    char ours[BED_SUM + 1];
    checkpoint_source_sum(s, ours);
    return c->source && strcmp(ours, c->source) == 0;
}

/* Equal settings do not imply equal terrain. */
static enum err check_bed(const struct sim *s, const struct content *c, const char *path)
{
    const struct window all = sim_domain(s);
    const size_t row = (size_t)all.nx + 1;
    const struct stored_array *bed;
    enum err e = ERR_OK;
    if (!s->system->over_bed)
        return ERR_OK;
    if (c->state)
        return checkpoint_check_bed_sum(s, c, path);
    TRY(get_array(c, "", CHECKPOINT_BED, row * ((size_t)all.ny + 1) * sizeof(double), path, &bed));
    if (has_source(s, c))
        return ERR_OK;
    const int most = rows_at_once(bed, all.nx, all.ny);
    const size_t room = row * ((size_t)most + 1);
    double *here = malloc(2 * room * sizeof *here);
    if (!here)
        FAIL(MEMORY, "no memory for the bed");
    for (int j = 0; j < all.ny && !e; j += most) {
        const struct window w = {0, j, all.nx, all.ny - j < most ? all.ny - j : most};
        e = check_corners(s, c, bed, &w, here, here + room, path);
    }
    free(here);
    return e;
}

/* The clock continues, towards this run's end. */
static enum err check_clock(const struct sim *s, const struct content *c, const char *path,
                            struct clock *now)
{
    const struct stored_array *a;
    TRY(get_array(c, CHECKPOINT_STATE, "clock", sizeof *now, path, &a));
    TRY(content_get(c, a, 0, sizeof *now, now));
    if (!(now->t < s->t_end))
        FAIL(USAGE,
             "--restart %s: the checkpoint is already at t = %.9g s: choose a --t-end later than "
             "that, not %.9g",
             path, now->t, s->t_end);
    if (now->steps >= s->now.step_limit)
        FAIL(USAGE,
             "--restart %s: the checkpoint is already after step %lu: choose more --steps, not %lu",
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
        TRY(get_unknown(s, c, k, path, &a));
    for (int k = 0; k < s->array_count; k++)
        if (s->array[k].kept)
            TRY(get_array(c, CHECKPOINT_STATE, s->array[k].name, sim_kept_bytes(s, &s->array[k]),
                          path, &a));
    return ERR_OK;
}

/* Cells, band by band. */
static enum err take_cells(struct sim *s, const struct array *a, const struct content *c,
                           const struct stored_array *from)
{
    const struct window all = sim_domain(s);
    const int most = rows_at_once(from, all.nx, all.ny);
    const size_t row = (size_t)all.nx * s->real_size;
    if (c->state)
        return checkpoint_take_tiles(s, a, c, from);
    char *rows = malloc((size_t)most * row);
    enum err e = ERR_OK;
    if (!rows)
        FAIL(MEMORY, "no memory for rows of '%s'", a->name);
    for (int j = 0; j < all.ny && !e; j += most) {
        const struct window w = {0, j, all.nx, all.ny - j < most ? all.ny - j : most};
        e = content_get(c, from, (size_t)j * row, (size_t)w.ny * row, rows);
        if (!e)
            e = sim_write(s, a, &w, rows);
    }
    free(rows);
    return e;
}

static enum err take_array(struct sim *s, const struct array *a, const struct content *c,
                           const char *path)
{
    const struct stored_array *from;
    TRY(get_array(c, CHECKPOINT_STATE, a->name, sim_kept_bytes(s, a), path, &from));
    if (a->layout == ARRAY_CELLS)
        return take_cells(s, a, c, from);
    void *bytes = malloc(from->bytes + 1);
    if (!bytes)
        FAIL(MEMORY, "no memory for '%s'", a->name);
    enum err e = content_get(c, from, 0, from->bytes, bytes);
    if (!e)
        e = sim_take(s, a, bytes);
    free(bytes);
    return e;
}

static enum err take_arrays(struct sim *s, const struct content *c, const char *path)
{
    const struct stored_array *from;
    for (int k = 0; k < s->system->unknowns; k++) {
        TRY(get_unknown(s, c, k, path, &from));
        TRY(take_cells(s, sim_unknown(s, k), c, from));
    }
    for (int k = 0; k < s->array_count; k++)
        if (s->array[k].kept)
            TRY(take_array(s, &s->array[k], c, path));
    return ERR_OK;
}

/* Of a sparse run, for a sparse run. */
static enum err take_tiles(struct sim *s, const struct content *c, const char *path)
{
    bits *notes;
    enum err e = checkpoint_get_notes(s, c, find(c, CHECKPOINT_STATE, CHECKPOINT_NOTES), &notes);
    e = e ? e : sparse_prepare(s, &c->tiles, c->state, notes);
    e = e ? e : take_arrays(s, c, path);
    if (!e && notes)
        e = sparse_take_notes(s, notes);
    free(notes);
    return e;
}

static enum err take_content(struct sim *s, const struct content *c, const char *path,
                             const struct clock *now)
{
    TRY((c->state && s->forest && !s->turned ? take_tiles : take_arrays)(s, c, path));
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
    TRY_OUT(take_content(s, &c, path, &now));
    memcpy(rows, c.rows, sizeof c.rows);
    log_info("resumes from %s: step %lu, t = %.9g s", path, s->now.steps, s->now.t);
out:
    content_free(&c);
    return e;
}
