/* Checks that processes that compute together have read the same problem: another host's file may
 * differ, and so may what they choose. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "core/problem/initial_state.h"
#include "core/problem/rain.h"
#include "core/problem/soil.h"
#include "core/problem/springs.h"
#include "core/sim/parts.h"

/* A fast hash of a long field: each number changes all following bits. */
static unsigned long mixed(unsigned long hash, const void *field, size_t bytes)
{
    const unsigned long prime = 0x9e3779b97f4a7c15ul;
    const unsigned char *at = field;
    for (unsigned long word; field && bytes >= sizeof word; bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29;
        at += sizeof word;
    }
    return hash;
}

static unsigned long hash_of_window(unsigned long hash, const struct initial *in)
{
    hash = mixed(hash, in->bed, in->field_bytes);
    hash = mixed(hash, in->roughness, in->field_bytes);
    for (int k = 0; k < UNKNOWNS; k++) {
        hash = mixed(hash, in->field[k], in->field_bytes);
        hash = mixed(hash, in->force[k], in->field_bytes);
    }
    return hash;
}

/* Of the whole domain, a few rows at a time. */
static enum err hash_of(const struct initial *in, unsigned long *hash)
{
    enum { ROWS = 32 };
    *hash = 1;
    for (int j = 0; j < in->ny; j += ROWS) {
        const struct window w = {0, j, in->nx, in->ny - j < ROWS ? in->ny - j : ROWS};
        struct initial *cut = NULL;
        TRY(initial_cut(&cut, in, &w, INITIAL_FIELDS));
        *hash = hash_of_window(*hash, cut);
        initial_destroy(cut);
    }
    return ERR_OK;
}

static void add_text(struct sha256 *s, const char *text)
{
    sha256_update(s, text, strlen(text) + 1);
}

static enum err add_edges(struct sha256 *s, const struct setup *setup)
{
    for (int e = 0; e < EDGES; e++) {
        char *text = NULL;
        TRY(edges_describe(setup, (enum edge)e, &text));
        add_text(s, text);
        free(text);
    }
    return ERR_OK;
}

static enum err add_springs(struct sha256 *s, const struct setup *setup)
{
    char *text = NULL;
    if (!setup->springs)
        return ERR_OK;
    TRY(springs_describe(setup->springs, setup->config, &text));
    add_text(s, text);
    free(text);
    return ERR_OK;
}

static void add_gauges(struct sha256 *s, const struct gauge_list *l)
{
    for (int k = 0; l && k < l->count; k++) {
        sha256_update(s, &l->gauge[k].i, sizeof l->gauge[k].i);
        sha256_update(s, &l->gauge[k].j, sizeof l->gauge[k].j);
    }
}

enum err parts_same_problem(struct sim *whole, const struct setup *setup)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 s;
    if (!whole->parts->ranks)
        return ERR_OK;
    unsigned long fields;
    TRY(hash_of(whole->initial, &fields));
    sha256_init(&s);
    sha256_update(&s, &fields, sizeof fields);
    sha256_update(&s, &setup->t_end, sizeof setup->t_end);
    add_text(&s, whole->scheme->name);
    TRY(add_edges(&s, setup));
    TRY(add_springs(&s, setup));
    add_gauges(&s, setup->gauges);
    if (setup->rain)
        add_text(&s, setup->rain->hash);
    if (setup->soil)
        add_text(&s, setup->soil->hash);
    sha256_final(&s, hex);
    return ranks_same(whole->parts->ranks, hex, "terrain, water, series or schemes");
}
