/* A checkpoint in memory, and its digest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checkpoint_parts.h"

const char *const fixed_arrays[CHECKPOINT_FIXED] = {"bed_corner", "w", "hu", "hv"};
const char *const checkpoint_rows[SERIES] = {"checkpoint_maps", "checkpoint_gauge_rows",
                                             "checkpoint_balance_rows"};

void content_free(struct content *c)
{
    for (int k = 0; k < c->count; k++)
        free(c->array[k].data);
    free(c->settings);
    *c = (struct content){0};
}

enum err content_add(struct content *c, const char *prefix, const char *name, size_t bytes)
{
    if (c->count == CHECKPOINT_ARRAYS)
        FAIL(INPUT, "a checkpoint holds at most %d arrays", (int)CHECKPOINT_ARRAYS);
    struct array *a = &c->array[c->count];
    a->bytes = bytes;
    if (snprintf(a->name, sizeof a->name, "%s%s", prefix, name) >= (int)sizeof a->name)
        FAIL(INPUT, "the name '%s%s' is too long", prefix, name);
    a->data = malloc(bytes ? bytes : 1);
    if (!a->data)
        FAIL(MEMORY, "a checkpoint needs %zu bytes of main memory for '%s'", bytes, a->name);
    c->count++;
    return ERR_OK;
}

/* SHA-256 is slow, so that pieces are taken by themselves, as many at a time as there are cores. */
enum { PIECE = 1 << 22 };

struct digest {
    char hex[SHA256_DIGITS + 1];
};

/* The digest of the digests of an array's pieces is what counts. */
static enum err add_array(struct sha256 *all, const struct array *a)
{
    const size_t pieces = (a->bytes + PIECE - 1) / PIECE;
    struct digest *d = calloc(pieces + 1, sizeof *d);
    char head[2 * NAME_LENGTH];
    if (!d)
        FAIL(MEMORY, "no memory for the digest of a checkpoint");
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < pieces; k++) {
        struct sha256 one;
        const size_t at = k * PIECE, left = a->bytes - at;
        sha256_init(&one);
        sha256_update(&one, (const char *)a->data + at, left < PIECE ? left : PIECE);
        sha256_final(&one, d[k].hex);
    }
    const int n = snprintf(head, sizeof head, "%s %zu\n", a->name, a->bytes);
    sha256_update(all, head, (size_t)n);
    for (size_t k = 0; k < pieces; k++)
        sha256_update(all, d[k].hex, SHA256_DIGITS);
    free(d);
    return ERR_OK;
}

void settings_digest(const char *settings, char hex[SHA256_DIGITS + 1])
{
    struct sha256 all;
    sha256_init(&all);
    sha256_update(&all, settings, strlen(settings));
    sha256_final(&all, hex);
}

enum err content_digest(const struct content *c, char hex[SHA256_DIGITS + 1])
{
    struct sha256 all;
    char numbers[128];
    const int n = snprintf(numbers, sizeof numbers, "%.17g %zu %zu %zu\n", c->wall, c->rows[0],
                           c->rows[1], c->rows[2]);
    sha256_init(&all);
    sha256_update(&all, c->settings, strlen(c->settings));
    sha256_update(&all, numbers, (size_t)n);
    for (int k = 0; k < c->count; k++)
        TRY(add_array(&all, &c->array[k]));
    sha256_final(&all, hex);
    return ERR_OK;
}
