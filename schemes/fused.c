/* Arguments of the fused kernels and of their clock. */
#include "schemes/fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/fused.h"

/* --define STAGE: the kernels keep the stage in 16 bits a value, see kernels/stage16.h. */
static int in_16_bits(const struct sim *s)
{
    for (const char *d = s->config->define; d; d = strchr(d, ',')) {
        d += *d == ',';
        if (strncmp(d, "STAGE=", 6) == 0)
            return 1;
    }
    return 0;
}

/* The middle of the range of eta that the water begins with, in f32. */
static enum err find_level(struct sim *s)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    float *eta = calloc(2 * cells, sizeof *eta);
    double least = (double)INFINITY, most = (double)-INFINITY;
    enum err e = ERR_OK;
    if (!eta)
        FAIL(MEMORY, "no memory for %d x %d levels", s->grid.nx, s->grid.ny);
    float *depth = eta + cells;
    TRY_OUT(sim_stored(s, 0, eta));
    TRY_OUT(sim_depth(s, depth));
    for (size_t k = 0; k < cells; k++)
        if (depth[k] > 0) {
            least = fmin(least, (double)eta[k]);
            most = fmax(most, (double)eta[k]);
        }
    s->stage_level = least <= most ? (float)(0.5 * (least + most)) : 0;
out:
    free(eta);
    return e;
}

static enum err prepare_stage(struct sim *s)
{
    /* Kernels of doubles refuse to compile, too; but find_level must not rely on that. */
    if (s->config->precision != F32)
        FAIL(USAGE,
             "--define STAGE keeps f32 values in 16 bits: leave it out, or use --precision f32");
    if (s->imposing)
        FAIL(USAGE,
             "--define STAGE takes walls, open and periodic edges only, and whole ones: leave "
             "it out where an edge imposes a flow or has segments");
    return find_level(s);
}

enum err fused_setup(struct sim *s)
{
    void *p;
    TRY(sim_extra(s, "ahead", sizeof *s->ahead, &p));
    s->ahead = p;
    s->short_stage = in_16_bits(s);
    return s->short_stage ? prepare_stage(s) : ERR_OK;
}

enum err fused_advance(struct sim *s, const struct fused_substep *how)
{
    struct fused_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .base = s->q[how->base][PLAIN],
        .q = s->q[how->from][PLAIN],
        .to = s->q[how->to][PLAIN],
        .ground = s->ground,
        .roughness = s->roughness,
        .block_speed = speeds_of(s, how->kernel),
        .counters = s->counters,
        .ahead = s->ahead,
        .clock = s->clock,
        .stride = next_stride(s),
        .level = s->stage_level,
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++)
        a.rim[e] = rim_of(s, (enum edge)e);
    if (s->forced)
        a.force = s->force;
    a.p.weight = how->clip_share;
    return sim_launch(s, &s->kernels[how->kernel], &a, sizeof a);
}

enum err check_time_step(struct sim *s, int first)
{
    struct ahead_args a = {
        .span = {1, 1},
        .blocks = (int)sim_blocks(s, &s->kernels[first], PLAIN),
        .block_speed = speeds_of(s, first),
        .counters = s->counters,
        .ahead = s->ahead,
        .clock = s->clock,
        .p = s->physics,
    };
    s->edges.chosen = 1;
    return sim_launch(s, &s->clock_kernel, &a, sizeof a);
}
