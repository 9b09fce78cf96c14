/* The share of a part in the initial state. */
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state_parts.h"

/* The window's cells or corners, with all ghosts. */
static enum err cut(const struct initial *whole, const struct initial *part, const struct window *w,
                    const void *from, void **to)
{
    const size_t size = precision_size(whole->precision);
    if (!from)
        return ERR_OK;
    TRY(initial_allocate(part, to));
    for (int j = -GHOSTS; j <= w->ny + GHOSTS; j++)
        memcpy((char *)*to + initial_offset(part, -GHOSTS, j) * size,
               (const char *)from + initial_offset(whole, w->i0 - GHOSTS, w->j0 + j) * size,
               (size_t)(w->nx + 2 * GHOSTS + 1) * size);
    return ERR_OK;
}

static enum err cut_all(const struct initial *whole, struct initial *part, const struct window *w)
{
    TRY(cut(whole, part, w, whole->bed, &part->bed));
    TRY(cut(whole, part, w, whole->centre, &part->centre));
    TRY(cut(whole, part, w, whole->roughness, &part->roughness));
    for (int k = 0; k < UNKNOWNS; k++) {
        TRY(cut(whole, part, w, whole->field[k], &part->field[k]));
        TRY(cut(whole, part, w, whole->force[k], &part->force[k]));
    }
    for (int k = 0; k < GIVEN_FIELDS; k++)
        TRY(cut(whole, part, w, whole->given[k], &part->given[k]));
    return ERR_OK;
}

enum err initial_cut(struct initial **out, const struct initial *whole, const struct window *w)
{
    struct initial *part = calloc(1, sizeof *part);
    if (!part)
        FAIL(MEMORY, "no memory for the initial state of a part");
    *part = *whole;
    part->bed = part->centre = part->roughness = NULL;
    part->fed = NULL; /* the whole has chosen its steps by it */
    memset(part->field, 0, sizeof part->field);
    memset(part->force, 0, sizeof part->force);
    memset(part->given, 0, sizeof part->given);
    part->nx = w->nx;
    part->ny = w->ny;
    part->pitch = initial_pitch(w->nx);
    part->field_bytes =
        (size_t)(part->pitch * initial_rows(w->ny)) * precision_size(whole->precision);
    const enum err e = cut_all(whole, part, w);
    if (e)
        initial_destroy(part);
    else
        *out = part;
    return e;
}
