/* Checkpoints of sparse runs hold the tiles that differ from the start; all others are as any run
 * with the same settings begins. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/run/checkpoint_parts.h"
#include "core/sim/sparse.h"

/* A turned problem's tiles are transposed: its checkpoints are complete. */
enum err checkpoint_held(const struct sim *s, unsigned char **state)
{
    *state = NULL;
    if (!s->forest || s->turned)
        return ERR_OK;
    *state = malloc((size_t)s->forest->tiles);
    if (!*state)
        FAIL(MEMORY, "no memory for a table of %d tiles", s->forest->tiles);
    sparse_held(s, *state);
    return ERR_OK;
}

static enum err notes_create(const struct sim *s, bits **notes)
{
    *notes = malloc((size_t)s->forest->tiles * sizeof **notes);
    if (!*notes)
        FAIL(MEMORY, "no memory for a table of %d tiles", s->forest->tiles);
    return ERR_OK;
}

enum err checkpoint_put_notes(struct sim *s, struct ncwriter *w)
{
    bits *notes;
    TRY(notes_create(s, &notes));
    enum err e = sparse_note(s, notes);
    if (!e)
        e = ncwrite_bytes(w, CHECKPOINT_STATE CHECKPOINT_NOTES, notes,
                          (size_t)s->forest->tiles * sizeof *notes);
    free(notes);
    return e;
}

enum err checkpoint_get_notes(const struct sim *s, const struct content *c,
                              const struct stored_array *a, bits **notes)
{
    const int same = s->tiles.w == c->tiles.w && s->tiles.h == c->tiles.h;
    *notes = NULL;
    if (!a || !same || a->bytes != (size_t)s->forest->tiles * sizeof **notes)
        return ERR_OK;
    TRY(notes_create(s, notes));
    return content_get(c, a, 0, a->bytes, *notes);
}

/* Room for the cells of the widest run of tiles. */
static enum err make_room(const struct sim *s, const struct tiles *t, void **room)
{
    const size_t bytes = (size_t)t->nx * ((size_t)t->h + 2) * s->real_size;
    *room = malloc(bytes);
    if (!*room)
        FAIL(MEMORY, "a checkpoint needs %zu bytes of main memory for a row of tiles", bytes);
    return ERR_OK;
}

enum err checkpoint_take_tiles(struct sim *s, const struct array *a, const struct content *c,
                               const struct stored_array *from)
{
    struct window w;
    void *cells;
    int next = 0;
    enum err e = ERR_OK;
    TRY(make_room(s, &c->tiles, &cells));
    while (!e && tiles_run(&c->tiles, c->state, TILE_INITIAL, &next, &w)) {
        e = content_get_cells(c, from, &w, cells);
        if (!e)
            e = sim_write(s, a, &w, cells);
    }
    free(cells);
    return e;
}

enum err checkpoint_check_bed_sum(const struct sim *s, const struct content *c, const char *path)
{
    char ours[BED_SUM + 1];
    checkpoint_bed_sum(s, ours);
    if (strcmp(ours, c->bed) != 0)
        FAIL(USAGE,
             "--restart %s: the bed differs from that of the checkpoint's run: that is another "
             "problem",
             path);
    return ERR_OK;
}
