/* Sparse domains beside full ones: their tiles, and what must be the same. Include after cmocka.h. */
#ifndef SHOAL_TEST_SPARSE_DOMAIN_H
#define SHOAL_TEST_SPARSE_DOMAIN_H

#include "core/sim/maxima.h"
#include "core/sim/sparse_parts.h"
#include "core/sim/tiling.h"
#include "tests/support/quiet.h"

/* The thinnest possible; thinner than a step reaches in one direction; larger than the domain. */
static const struct tile_size sizes[] = {{6, 4}, {14, 5}, {28, 17}, {100, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes, CELLS = NX * NY, PAUSES = 5 };

/* One block for tiles of all sizes; otherwise each size would need kernels of its own to be compiled. */
static const struct block few_kernels = {12, 5};

static inline struct config sparse_in_blocks(const struct config *c, struct tile_size tile,
                                             struct block b)
{
    struct config some = *c;
    some.tile = tile;
    some.domain = DOMAIN_SPARSE;
    configure_blocks(&some, b, c->order != 0);
    return some;
}

static inline struct config sparse(const struct config *c, struct tile_size tile)
{
    return sparse_in_blocks(c, tile, few_kernels);
}

static inline void configured(struct config *c, const char *scheme, enum precision p)
{
    configure(c, scheme, p);
    c->early_exit = EARLY_EXIT_AUTO;
    c->maxima = 1;
    c->maxima_every = 3;
}

static inline int stored(const struct sim *s)
{
    return s->forest->stored;
}

static inline int is_nan_pattern(const unsigned char *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (bytes[k] != 0xff)
            return 0;
    return 1;
}

/* What nothing may read is NaN. */
static inline void expect_free_slots_poisoned(struct sim *s)
{
    const size_t slot = tiling_slot_bytes(s);
    unsigned char *copy = malloc(slot * (size_t)s->forest->slots);
    assert_non_null(copy);
    for (int k = 0; k < s->system->unknowns; k++) {
        fine(s->backend->download(s->device, copy, s->state[0][k]->memory,
                                  slot * (size_t)s->forest->slots));
        for (int n = 0; n < s->forest->slots; n++)
            if (s->forest->tile[n] < 0 && !is_nan_pattern(copy + (size_t)n * slot, slot))
                fail_msg("unknown %d: slot %d is free and holds numbers", k, n);
    }
    free(copy);
}

static inline void expect_same_maxima(struct sim *a, struct sim *b, const char *what)
{
    static double want[CELLS], have[CELLS];
    for (int k = 0; k < MAXIMA; k++) {
        fine(maxima_download(a, (enum maximum)k, NULL, want));
        fine(maxima_download(b, (enum maximum)k, NULL, have));
        if (memcmp(want, have, CELLS * a->real_size) != 0)
            fail_msg("%s: maximum %d differs", what, k);
    }
}

/* Compares at several pauses, each between two steps, and the maxima at the last one. */
static inline void expect_same_run(const struct config *full, const struct config *c,
                                   const struct scene *s, double t_end)
{
    char what[64];
    struct sim *a = create(full, s), *b = create(c, s);
    assert_non_null(b->forest);
    snprintf(what, sizeof what, "sparse, in tiles of %d x %d", c->tile.w, c->tile.h);
    for (int k = 1; k <= PAUSES; k++) {
        fine(sim_run(a, k * t_end / PAUSES, NULL));
        if (sim_run(b, k * t_end / PAUSES, NULL))
            fail_msg("%s %s: %s", described(c), what, err_message());
        struct outcome want = outcome_of(full, a, s), have = outcome_of(c, b, s);
        expect_equal(c, what, &want, &have);
        outcome_free(&want);
        outcome_free(&have);
        expect_free_slots_poisoned(b);
    }
    expect_same_maxima(a, b, what);
    sim_destroy(a);
    sim_destroy(b);
}

/* Copies as a checkpoint does. */
static inline void hand_over(struct sim *from, struct sim *to)
{
    static double cells[CELLS];
    for (int k = 0; k < from->system->unknowns; k++) {
        fine(sim_read(from, sim_unknown(from, k), NULL, cells));
        fine(sim_write(to, sim_unknown(to, k), NULL, cells));
    }
    for (int k = 0; k < from->array_count; k++) {
        const struct array *a = &from->array[k];
        if (!a->kept)
            continue;
        const struct array *b = sim_find_array(to, a->name);
        void *kept = malloc(sim_kept_bytes(from, a));
        assert_true(kept && sim_kept_bytes(to, b) == sim_kept_bytes(from, a));
        fine(sim_keep(from, a, kept));
        fine(sim_take(to, b, kept));
        free(kept);
    }
    sim_set_clock(to, &from->now, 0);
}

#endif
