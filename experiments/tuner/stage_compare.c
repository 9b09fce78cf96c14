/* Comparing what kernels wrote, on the device. */
#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/registry/registry.h"
#include "experiments/tuner/stage_parts.h"

static struct span rows(const struct stage *s)
{
    return (struct span){COMPARED_ROW, (int)(s->room / s->sim->real_size / COMPARED_ROW)};
}

/* Blocks of the comparison. */
static size_t parts(const struct stage *s)
{
    const struct block b = s->compare.recipe.block;
    const struct span span = rows(s);
    return (size_t)((span.nx + b.w - 1) / b.w) * (size_t)((span.ny + b.h - 1) / b.h);
}

enum err stage_compare_load(struct stage *s)
{
    const struct sim *sim = s->sim;
    const struct kernel *k = find_kernel("compare");
    char path[PATH_LENGTH];
    struct recipe *r = &s->compare.recipe;
    *r = s->capture[0].recipe;
    r->kernel = k;
    r->mode = STRICT; /* it tells zeros and NaNs apart */
    r->block = k->block[sim->backend == &backend_cuda || r->order ? CUDA : CPU];
    TRY(sim->backend->compile(sim->device, r, path));
    TRY(sim->backend->load(sim->device, r, path, &s->compare.loaded));
    return stage_room(s, 2 * parts(s) * sim->real_size, &s->distance);
}

enum err stage_compare_launch(struct stage *s, const void *got, const void *want)
{
    char *const distance = s->distance;
    struct compare_args a = {
        .span = rows(s),
        .got = got,
        .want = want,
        .difference = (void *)distance,
        .size = (void *)(distance + parts(s) * s->sim->real_size),
    };
    return sim_launch(s->sim, &s->compare, &a, sizeof a);
}

/* The largest of what n patterns stand for, of which none is negative; INFINITY where one is a NaN. */
static double largest_of(const void *patterns, size_t n, size_t size)
{
    double largest = 0;
    for (size_t k = 0; k < n; k++) {
        const double x = reals_get(patterns, size, k);
        if (isnan(x))
            return (double)INFINITY;
        largest = fmax(largest, x);
    }
    return largest;
}

enum err stage_largest(struct stage *s, const void *patterns, size_t n, double *largest)
{
    const size_t size = s->sim->real_size;
    void *host = malloc(n * size);
    if (!host)
        FAIL(MEMORY, "no memory for %zu numbers", n);
    enum err e = s->sim->backend->download(s->sim->device, host, patterns, n * size);
    if (!e)
        *largest = largest_of(host, n, size);
    free(host);
    return e;
}

enum err stage_compare(struct stage *s, const void *got, const void *want, double *distance,
                       double *size)
{
    const size_t n = parts(s);
    TRY(stage_compare_launch(s, got, want));
    TRY(stage_largest(s, s->distance, n, distance));
    return stage_largest(s, (char *)s->distance + n * s->sim->real_size, n, size);
}
