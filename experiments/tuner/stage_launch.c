/* A kernel with a block: loading it, choosing its blocks, launching it on what was kept. */
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "experiments/tuner/stage_parts.h"

static struct span span_of(const struct capture *c)
{
    struct span span;
    memcpy(&span, c->args, sizeof span);
    return span;
}

static int across(int cells, int size)
{
    return (cells + size - 1) / size;
}

long stage_blocks(const struct slot *slot)
{
    const struct span span = span_of(slot->of);
    const struct block b = slot->kernel.recipe.block;
    return (long)across(span.nx, b.w) * across(span.ny, b.h);
}

/* Which blocks to compute: skip, list and count, one after the other. */
static enum err make_list(struct stage *s, struct slot *slot)
{
    const size_t blocks = (size_t)stage_blocks(slot);
    void *p;
    TRY(s->sim->backend->alloc(s->sim->device, (2 * blocks + 1) * sizeof(int), &p));
    int *skip = p;
    slot->wet = (struct wetness){s->active, skip, skip + blocks, skip + 2 * blocks};
    return ERR_OK;
}

enum err stage_open(struct stage *s, struct capture *c, const struct recipe *r, const char *path,
                    struct slot **out)
{
    char made[PATH_LENGTH];
    const struct backend *b = s->sim->backend;
    enum err e = ERR_OK;
    struct slot *slot = calloc(1, sizeof *slot);
    if (!slot)
        FAIL(MEMORY, "no memory for a kernel's place");
    slot->kernel.recipe = *r;
    slot->of = c;
    if (stage_blocks(slot) > s->most_blocks) {
        e = err_set(ERR_LIMIT, __FILE__, __LINE__,
                    "%s: blocks of %dx%d are %ld, and a stage has room for %ld", r->kernel->name,
                    r->block.w, r->block.h, stage_blocks(slot), s->most_blocks);
        goto out;
    }
    if (!path || !*path) {
        TRY_OUT(b->compile(s->sim->device, r, made));
        path = made;
    }
    TRY_OUT(b->load(s->sim->device, r, path, &slot->kernel.loaded));
    if (r->kernel->listed)
        TRY_OUT(make_list(s, slot));
    *out = slot;
    return ERR_OK;
out:
    stage_shut(s, slot);
    return e;
}

void stage_shut(struct stage *s, struct slot *slot)
{
    if (!slot)
        return;
    s->sim->backend->unload(s->sim->device, slot->kernel.loaded);
    s->sim->backend->release(s->sim->device, slot->wet.skip);
    free(slot);
}

/* Marks the cells where the state or its rate of change is not at rest. What a kernel leaves out is
 * then zero in its rates and unchanged in its state, to the bit, so that its answer can be judged. (A
 * run leaves out a little more: cells whose only motion is rounding on a dry slope.) */
static void mark_moving(const struct stage *s, const void *field, long pitch, unsigned char *moves)
{
    const struct grid_info *g = &s->sim->grid;
    const char *first = (const char *)field + sim_first_cell(s->sim, pitch);
#pragma omp parallel for
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const size_t size = s->sim->real_size;
            const double x = reals_get(first + (size_t)(j * pitch + i) * size, size, 0);
            moves[(size_t)j * (size_t)g->nx + (size_t)i] |= !(x <= 0 && x >= 0);
        }
}

/* The discharges of what a kernel reads, and the level where it is a rate of change. */
static enum err mark_inputs(const struct stage *s, const struct capture *c, void *host,
                            unsigned char *moves)
{
    const struct sim *sim = s->sim;
    long pitch;
    memcpy(&pitch, c->args + c->takes->pitch, sizeof pitch);
    for (int n = 0; n < MOST_INPUTS && c->takes->in[n]; n++)
        for (int m = c->takes->in[n] == c->takes->rate ? 0 : 1; m < 3; m++) {
            const char *field;
            memcpy(&field, c->args + c->takes->in[n] + (size_t)m * sizeof field, sizeof field);
            field -= sim_first_cell(sim, pitch);
            TRY(sim->backend->download(sim->device, host, field, sim->field_bytes));
            mark_moving(s, host, pitch, moves);
        }
    return ERR_OK;
}

static void add_up(struct stage *s, const unsigned char *moves)
{
    const int nx = s->sim->grid.nx, ny = s->sim->grid.ny;
    const size_t row = (size_t)nx + 1;
    for (int j = 0; j < ny; j++) {
        int sum = 0;
        for (int i = 0; i < nx; i++) {
            sum += moves[(size_t)j * (size_t)nx + (size_t)i];
            s->moving[((size_t)j + 1) * row + (size_t)i + 1] =
                s->moving[(size_t)j * row + (size_t)i + 1] + sum;
        }
    }
    s->moving_share = s->moving[(size_t)ny * row + (size_t)nx] / ((double)nx * (double)ny);
}

static enum err mark_all(struct stage *s, void *host, unsigned char *moves)
{
    for (int k = 0; k < s->captures; k++)
        if (s->capture[k].recipe.kernel->listed)
            TRY(mark_inputs(s, &s->capture[k], host, moves));
    add_up(s, moves);
    return ERR_OK;
}

enum err stage_find_moving(struct stage *s)
{
    const size_t nx = (size_t)s->sim->grid.nx, ny = (size_t)s->sim->grid.ny;
    unsigned char *moves = calloc(nx * ny, 1);
    void *host = malloc(s->sim->field_bytes);
    s->moving = calloc((nx + 1) * (ny + 1), sizeof *s->moving);
    const int room = moves && host && s->moving;
    const enum err e = room ? mark_all(s, host, moves) : ERR_OK;
    free(moves);
    free(host);
    if (!room)
        FAIL(MEMORY, "no memory to find out which of %zu x %zu cells move: choose a smaller --nx",
             nx, ny);
    return e;
}

/* How many cells from (x0, y0) up to but not (x1, y1) move. */
static int moving_in(const struct stage *s, int x0, int y0, int x1, int y1)
{
    const size_t row = (size_t)s->sim->grid.nx + 1;
    const size_t low = (size_t)y0 * row, high = (size_t)y1 * row;
    return s->moving[high + (size_t)x1] - s->moving[high + (size_t)x0] -
           s->moving[low + (size_t)x1] + s->moving[low + (size_t)x0];
}

/* The map of active blocks for a block of this shape, as `bits` of the run's precision. */
static enum err upload_active(struct stage *s, struct block b)
{
    const int nx = s->sim->grid.nx, ny = s->sim->grid.ny;
    const int wide = across(nx, b.w), high = across(ny, b.h);
    const size_t size = s->sim->real_size, n = (size_t)wide * (size_t)high;
    char *map = calloc(n, size); /* little-endian or not: any byte will do */
    if (!map)
        FAIL(MEMORY, "no memory for a map of %zu blocks", n);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            const int x1 = x + 1 < wide ? (x + 1) * b.w : nx;
            const int y1 = y + 1 < high ? (y + 1) * b.h : ny;
            map[((size_t)y * (size_t)wide + (size_t)x) * size] =
                moving_in(s, x * b.w, y * b.h, x1, y1) ? 1 : 0;
        }
    enum err e = s->sim->backend->upload(s->sim->device, s->active, map, n * size);
    free(map);
    return e;
}

/* By the kernel that does it in a run; it computes every block where its map is old. */
enum err stage_choose(struct stage *s, struct slot *slot, enum pass pass)
{
    const struct block b = slot->kernel.recipe.block;
    struct sim *sim = s->sim;
    struct select_args a = s->select_args;
    if (!slot->wet.skip)
        return ERR_OK;
    TRY(upload_active(s, b));
    TRY(sim->backend->fill(sim->device, slot->wet.count, 0, sizeof *slot->wet.count));
    a.span = (struct span){across(a.nx, b.w), across(a.ny, b.h)};
    a.w = b.w;
    a.h = b.h;
    a.wet = slot->wet;
    a.clock = s->clock[pass];
    return sim_launch(sim, s->select, &a, sizeof a);
}

enum err stage_launch(struct stage *s, struct slot *slot, const struct outputs *to)
{
    const struct capture *c = slot->of;
    const struct argument_places *g = c->takes;
    _Alignas(16) unsigned char args[MOST_ARGS];
    char *out[3];
    long pitch;
    int turned = 0;
    memcpy(args, c->args, g->bytes);
    if (g->turns)
        memcpy(&turned, args + g->turns, sizeof turned);
    memcpy(&pitch, args + (turned ? g->out_pitch : g->pitch), sizeof pitch);
    for (int n = 0; n < 3; n++)
        out[n] = (char *)to->field[n] + sim_first_cell(s->sim, pitch);
    memcpy(args + g->out, out, (size_t)places_out(g) * sizeof *out);
    if (g->wet)
        memcpy(args + g->wet, &slot->wet, sizeof slot->wet);
    return sim_launch(s->sim, &slot->kernel, args, g->bytes);
}
