/* Arguments of the kernel that lists the tiles to be computed. */
#ifndef SHOAL_ACTIVE_TILES_H
#define SHOAL_ACTIVE_TILES_H

#include "tiling.h"

enum { TILE_MAPS = 16 }; /* kernels of a scheme that keep a map, at most */

/* The record of such a kernel: a pattern for each block, slot after slot. */
struct tile_map {
    const bits *moved;
    int blocks; /* of a slot */
};

/* Totals of the computed tiles. */
struct tile_totals {
    counter passes, cells;
};

/* Of a launch: the tiles that it has listed, once it is over; or those that the host has, while kernels compute no others.
 * The rest is 0 between launches. */
struct tile_counts {
    struct list_part listed, only;
    int inner, outer; /* tiles listed so far, with changes in all tiles around them, and others */
    int wanted;       /* absent tiles that the step would have to compute */
    int come;         /* blocks that have finished */
    counter missing;  /* cells that the tiles listed have less than whole ones */
};

struct active_tiles_args {
    struct span span;  /* tiles of the domain, one row */
    int columns, rows; /* of tiles in the domain */
    int cells;         /* of a whole tile */
    int around[2];     /* x, y: the domain is periodic */
    int rings[2];      /* tiles that a step reaches, in x and in y */
    int open;          /* bits 1 << enum edge: tiles beside such an edge are always computed */
    const unsigned char *fed; /* of each tile: it is always computed; null: none is */
    const int *slot_of;       /* of each tile; -1: absent; null: tile k is in slot k */
    int most;                 /* tiles that launches have blocks for */
    int maps;
    struct tile_map map[TILE_MAPS];
    int *list; /* out: slots to compute; room for twice the tiles of the domain */
    struct tile_counts *counts;
    struct clock *clock; /* halted if absent tiles are needed, or more than `most` */
    const struct tile_place *place;
    struct tile_totals *totals; /* passes that did not halt, and what these computed; or null */
    ALIGN8 struct physics p;
};

/* The records of all blocks of a slot, combined. */
FN bits moved_in(const struct active_tiles_args *a, int slot)
{
    bits moved = 0;
    for (int m = 0; m < a->maps; m++) {
        const struct tile_map *const map = &a->map[m];
        UNROLL(6)
        for (int b = 0; b < map->blocks; b++)
            moved |= map->moved[(long)slot * map->blocks + b];
    }
    return moved;
}

/* Whether a change in a tile can affect the tile dx columns to its east and dy rows to its north. */
FN int is_felt(bits moved, int dx, int dy)
{
    const int x = dx < 0 ? MOVES_WEST : dx > 0 ? MOVES_EAST : MOVES;
    const int y = dy < 0 ? MOVES_SOUTH : dy > 0 ? MOVES_NORTH : MOVES;
    return moved >> MOVES_BITS != 0 || ((moved & (bits)x) != 0 && (moved & (bits)y) != 0);
}

FN int slot_of(const struct active_tiles_args *a, int tile)
{
    return a->slot_of ? a->slot_of[tile] : tile;
}

/* Column or row k + d of n; -1: there is none. */
FN int beside(int k, int d, int n, int around)
{
    const int to = k + d;
    return to >= 0 && to < n ? to : around ? (to % n + n) % n : -1;
}

/* Beside an edge that is not a wall, or where a source may bring water. */
FN int is_open(const struct active_tiles_args *a, int i, int j)
{
    return (a->fed && a->fed[j * a->columns + i]) || ((a->open & 1 << WEST) && i < a->rings[0]) ||
           ((a->open & 1 << EAST) && i >= a->columns - a->rings[0]) ||
           ((a->open & 1 << SOUTH) && j < a->rings[1]) ||
           ((a->open & 1 << NORTH) && j >= a->rows - a->rings[1]);
}

/* Tiles that a step may reach a tile from, itself among them: columns first. */
FN int tiles_around(const struct active_tiles_args *a)
{
    return (2 * a->rings[0] + 1) * (2 * a->rings[1] + 1);
}

/* Whether a change in number n of those around tile (i, j) can reach it within a step. */
FN int is_reached_from(const struct active_tiles_args *a, int i, int j, int n)
{
    const int across = 2 * a->rings[0] + 1;
    const int di = n % across - a->rings[0], dj = n / across - a->rings[1];
    const int x = beside(i, di, a->columns, a->around[0]);
    const int y = beside(j, dj, a->rows, a->around[1]);
    const int slot = x < 0 || y < 0 ? -1 : slot_of(a, y * a->columns + x);
    return slot >= 0 && is_felt(moved_in(a, slot), -di, -dj);
}

#endif
