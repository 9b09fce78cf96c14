/* The initial data on the device: sampled and uploaded by bands of rows, or by tiles, so that the
 * host never holds a whole field. */
#include "core/sim/upload.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ordered_workers.h"
#include "core/base/plane.h"
#include "core/base/reals.h"
#include "core/problem/initial_state_parts.h"
#include "core/sim/tiling.h"

/* Numbers of a band, of each sampled field, and its rows: enough to make its ghost rows negligible,
 * and few enough that there is a band for each thread and that the bands under way take little memory. */
enum { BAND = 1 << 16, LEAST_ROWS = 32 };

const void *upload_field(const struct sim *s, const struct array *a, const struct initial *cut)
{
    for (int m = 0; m <= (s->forest ? s->scheme->stages : 0); m++) /* ghosts facing absent tiles */
        for (int k = 0; k < s->system->unknowns; k++)
            if (s->state[m][k] == a)
                return cut->field[k];
    for (int k = 0; k < UNKNOWNS; k++)
        if (s->force[k] == a)
            return cut->force[k];
    for (int k = 0; k < s->system->givens; k++)
        if (s->given[k] == a)
            return cut->given[k];
    return strcmp(a->name, "bed") == 0          ? cut->centre
           : strcmp(a->name, "bed_corner") == 0 ? cut->bed
           : strcmp(a->name, "roughness") == 0  ? cut->roughness
                                                : NULL;
}

/* With two rates, of x and of y, each has half of it: the sum then stays the same if x and y change
 * places. */
static void share_force(const struct sim *s, struct initial *cut)
{
    const size_t n = cut->field_bytes / s->real_size;
    for (int k = 0; k < UNKNOWNS && s->scheme->rates == 2; k++)
        for (size_t at = 0; cut->force[k] && at < n; at++)
            reals_put(cut->force[k], s->real_size, at,
                      0.5 * reals_get(cut->force[k], s->real_size, at));
}

/* Rows of stored cells, counted from the first one; then with the ghosts of the sim's ends. */
struct band {
    int j0, ny, first, end; /* first <= j < end, counted from j0 */
};

static int band_rows(const struct sim *s)
{
    const int rows = (int)(BAND / s->pitch[PLAIN]);
    return rows > LEAST_ROWS ? rows : LEAST_ROWS;
}

static struct band band_at(const struct sim *s, int j0)
{
    const int left = sim_stored(s).ny - j0, most = band_rows(s), ny = left < most ? left : most;
    return (struct band){j0, ny, j0 == 0 ? -GHOSTS : 0, left == ny ? ny + GHOSTS + 1 : ny};
}

static enum err upload_rows(struct sim *s, const struct array *a, const struct band *b,
                            const void *from)
{
    const size_t row = (size_t)s->pitch[PLAIN] * s->real_size;
    return s->backend->upload(s->device,
                              (char *)a->memory + (size_t)(GHOSTS + b->j0 + b->first) * row, from,
                              (size_t)(b->end - b->first) * row);
}

/* Threads sample a band each; one at a time uploads. */
struct bands {
    struct sim *sim;
    struct initial **cut; /* in each place; null: none */
};

static enum err sample_band(void *context, size_t piece, size_t place)
{
    const struct bands *all = context;
    const struct sim *s = all->sim;
    const struct window cells = sim_stored(s);
    const struct band b = band_at(s, (int)piece * band_rows(s));
    const struct window w = {cells.i0, cells.j0 + b.j0, cells.nx, b.ny};
    TRY(initial_cut(&all->cut[place], s->initial, &w, INITIAL_FIELDS));
    share_force(s, all->cut[place]);
    return ERR_OK;
}

static enum err upload_band(void *context, size_t piece, size_t place)
{
    const struct bands *all = context;
    struct sim *s = all->sim;
    const struct band b = band_at(s, (int)piece * band_rows(s));
    const size_t before = (size_t)((b.first + GHOSTS) * s->pitch[PLAIN]) * s->real_size;
    enum err e = ERR_OK;
    for (int k = 0; k < s->array_count && !e; k++) {
        const char *const field = upload_field(s, &s->array[k], all->cut[place]);
        if (field)
            e = upload_rows(s, &s->array[k], &b, field + before);
    }
    initial_destroy(all->cut[place]);
    all->cut[place] = NULL;
    return e;
}

static enum err upload_bands(struct sim *s)
{
    const int bands = (sim_stored(s).ny + band_rows(s) - 1) / band_rows(s);
    const int threads = omp_get_max_threads() < bands ? omp_get_max_threads() : bands;
    struct bands all = {.sim = s};
    const struct ordered_job job = {(size_t)bands, sample_band, upload_band, &all, threads - 1};
    const size_t places = ordered_workers_places(job.helpers);
    all.cut = calloc(places, sizeof(struct initial *));
    if (!all.cut)
        FAIL(MEMORY, "no memory for %d bands of the initial state", bands);
    const enum err e = ordered_workers_do(&job);
    for (size_t k = 0; k < places; k++)
        initial_destroy(all.cut[k]);
    free(all.cut);
    return e;
}

/* Slots filled at once; each array's slots are contiguous, one array after another. */
struct batch {
    int first, n;
    const struct array *array[SIM_ARRAYS]; /* that have initial data */
    int arrays;
    char *images;
};

static char *image(const struct sim *s, const struct batch *b, int array, int slot)
{
    return b->images + (size_t)(array * b->n + slot) * tiling_slot_bytes(s);
}

static enum err lay_slot(const struct sim *s, const struct batch *b, int slot)
{
    const int tile = tiling_tile(s, b->first + slot);
    struct initial *cut = NULL;
    for (int k = 0; k < b->arrays && tile < 0; k++)
        memset(image(s, b, k, slot), 0xff, tiling_slot_bytes(s)); /* not a number */
    if (tile < 0)
        return ERR_OK;
    const struct window w = tiles_window(&s->tiles, tile);
    TRY(initial_cut(&cut, s->initial, &w, INITIAL_FIELDS));
    share_force(s, cut);
    for (int k = 0; k < b->arrays; k++)
        tiling_lay(s, cut, upload_field(s, b->array[k], cut), image(s, b, k, slot));
    initial_destroy(cut);
    return ERR_OK;
}

static enum err upload_batch(struct sim *s, const struct batch *b)
{
    const size_t each = tiling_slot_bytes(s);
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (int k = 0; k < b->n; k++)
        failed |= lay_slot(s, b, k) != ERR_OK;
    if (failed)
        FAIL(MEMORY, "no memory for the initial state of %d tiles", b->n);
    for (int k = 0; k < b->arrays; k++)
        TRY(s->backend->upload(s->device, (char *)b->array[k]->memory + (size_t)b->first * each,
                               image(s, b, k, 0), (size_t)b->n * each));
    return ERR_OK;
}

static enum err list_arrays(const struct sim *s, struct batch *b)
{
    const struct window nothing = {0};
    struct initial *cut = NULL;
    TRY(initial_cut(&cut, s->initial, &nothing, INITIAL_FIELDS));
    for (int k = 0; k < s->array_count; k++)
        if (upload_field(s, &s->array[k], cut))
            b->array[b->arrays++] = &s->array[k];
    initial_destroy(cut);
    return ERR_OK;
}

static enum err upload_slots(struct sim *s)
{
    struct batch b = {0};
    const int slots = tiling_slots(s);
    enum err e = ERR_OK;
    TRY(list_arrays(s, &b));
    if (b.arrays == 0)
        return ERR_OK;
    const size_t each = (size_t)b.arrays * tiling_slot_bytes(s);
    const size_t fit = (size_t)(8 * BAND) * s->real_size / each;
    const int most = fit < 1 ? 1 : fit < (size_t)slots ? (int)fit : slots;
    b.images = malloc((size_t)most * each);
    if (!b.images)
        FAIL(MEMORY, "no memory for the initial state of %d tiles", most);
    for (int k = 0; k < slots && !e; k += b.n) {
        b.first = k;
        b.n = slots - k < most ? slots - k : most;
        e = upload_batch(s, &b);
    }
    free(b.images);
    return e;
}

enum err sim_upload(struct sim *s)
{
    planes_begin();
    TRY(s->tiles.columns ? upload_slots(s) : upload_bands(s));
    planes_rest();
    return s->backend->upload(s->device, s->clock, &s->now, sizeof s->now);
}

static enum err fill_cells(struct sim *s, const struct array *a, number_of_cell *number,
                           const void *context)
{
    enum err e = ERR_OK;
    const struct band most = band_at(s, 0);
    const struct window all = sim_stored(s);
    const size_t row = (size_t)s->pitch[PLAIN], rows = (size_t)most.ny + 2 * (size_t)GHOSTS + 1;
    void *host = malloc(rows * row * s->real_size);
    if (!host)
        FAIL(MEMORY, "no memory for '%s'", a->name);
    for (int j0 = 0; j0 < all.ny && !e;) {
        const struct band b = band_at(s, j0);
        memset(host, 0, rows * row * s->real_size);
        for (int j = 0; j < b.ny; j++)
            for (int i = 0; i < all.nx; i++)
                reals_put(
                    host, s->real_size, (size_t)(j - b.first) * row + MARGIN + (size_t)i,
                    number(context, s->window.i0 + all.i0 + i, s->window.j0 + all.j0 + j0 + j));
        e = upload_rows(s, a, &b, host);
        j0 += b.ny;
    }
    free(host);
    return e;
}

/* The cells of a tile; ghost cells get 0. */
static enum err fill_slot(struct sim *s, const struct array *a, int slot, void *image,
                          number_of_cell *number, const void *context)
{
    const struct window w = tiles_window(&s->tiles, tiling_tile(s, slot));
    const size_t bytes = tiling_slot_bytes(s);
    memset(image, 0, bytes);
    for (int j = 0; j < w.ny; j++)
        for (int i = 0; i < w.nx; i++)
            reals_put(image, s->real_size, tiling_cell(s, i, j),
                      number(context, s->window.i0 + w.i0 + i, s->window.j0 + w.j0 + j));
    return s->backend->upload(s->device, (char *)a->memory + (size_t)slot * bytes, image, bytes);
}

static enum err fill_slots(struct sim *s, const struct array *a, number_of_cell *number,
                           const void *context)
{
    enum err e = ERR_OK;
    void *image = malloc(tiling_slot_bytes(s));
    if (!image)
        FAIL(MEMORY, "no memory for a tile of '%s'", a->name);
    for (int k = 0; k < tiling_slots(s) && !e; k++)
        if (tiling_tile(s, k) >= 0)
            e = fill_slot(s, a, k, image, number, context);
    free(image);
    return e;
}

enum err sim_given_cells(struct sim *s, const char *name, number_of_cell *number,
                         const void *context, real **first)
{
    struct array wanted = {.layout = ARRAY_CELLS, .joined = JOIN_PLANE, .given = 1}, *array;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    TRY(sim_array(s, &wanted, &array));
    TRY((s->tiles.columns ? fill_slots : fill_cells)(s, array, number, context));
    *first = array_first(s, array, PLAIN);
    return ERR_OK;
}
