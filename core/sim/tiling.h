/* A sim with its cells in tiles (--tile): each array is a pool of slots, one after the other, with
 * ghost cells of their own. Without tiles all functions but tiling_choose do nothing, or the
 * equivalent for a plain layout. */
#ifndef SHOAL_SIM_TILING_H
#define SHOAL_SIM_TILING_H

#include "core/sim/sim.h"
#include "kernels/tiling.h"

/* Splits the sim's grid if --tile asks for it; fails with ERR_USAGE if the scheme cannot. */
enum err tiling_choose(struct sim *s);

/* The size of a sparse domain's tiles without --tile: by precision and backend. */
struct tile_size tiling_usual(const struct sim *s);

/* The tiles' data for kernels, on the device; room for that of more slots; and an update after tiles of a
 * sparse domain have changed. */
enum err tiling_create(struct sim *s);
enum err tiling_grow(struct sim *s);
enum err tiling_update(struct sim *s);

/* Slots of the pools; the tile in a slot, -1: free; the slot of a tile, -1: absent; bytes of a
 * slot. */
int tiling_slots(const struct sim *s);
int tiling_tile(const struct sim *s, int slot);
int tiling_slot(const struct sim *s, int tile);
size_t tiling_slot_bytes(const struct sim *s);

/* Reals from a row of a slot to the next. */
long tiling_pitch(const struct sim *s);

/* Offset of a cell from cell (0,0) of an array, plain; -1 where its tile is absent. */
long tiling_offset(const struct sim *s, int i, int j);

/* The offset of cell (i, j) of a tile in an image of its slot, in reals. */
static inline size_t tiling_cell(const struct sim *s, int i, int j)
{
    return (size_t)((j + GHOSTS) * s->pitch[PLAIN] + s->margin + i);
}

/* Copies a field of a tile's initial state to a slot, in the device's layout. */
struct initial;
void tiling_lay(const struct sim *s, const struct initial *tile, const void *field, void *slot);

/* The extra arguments of a kernel that computes by tiles. */
struct tiling tiling_of(const struct sim *s, const struct sim_kernel *k);

/* The block of such a kernel, no wider than a tile. */
struct block tiling_block(const struct sim *s, const struct kernel *k, struct block b);

/* Enqueues the exchange of ghost cells between tiles: of a state that is read next, unless the
 * kernels that write states do that; of the solution that the host has written. */
enum err tiling_exchange(struct sim *s, int state);
enum err tiling_begin(struct sim *s);

/* The same, if something was added to the solution after the kernels that write it. */
enum err tiling_added(struct sim *s);

#endif
