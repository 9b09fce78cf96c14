/* Arguments of the kernel that lists the tiles to be computed. */
#ifndef SHOAL_ACTIVE_TILES_H
#define SHOAL_ACTIVE_TILES_H

enum { TILE_MAPS = 16 }; /* kernels of a scheme that keep one, at most */

/* What such a kernel has noted: a pattern for each block of each slot, one slot's behind the other's. */
struct tile_map {
    const bits *moved;
    int blocks; /* of a slot */
};

struct active_tiles_args {
    struct span span;   /* tiles of the domain, one row */
    int columns, rows;  /* they lie so */
    int around[2];      /* x, y: the domain is periodic */
    int rings[2];       /* tiles that a step reaches across, in x and in y */
    int open;           /* bits 1 << enum edge: tiles beside such an edge are always computed */
    const int *slot_of; /* of each tile; -1: it is absent; null: tile k lies in slot k */
    int maps;
    struct tile_map map[TILE_MAPS];
    int *list,
        *count;  /* out: slots to be computed, in any order, and how many they are; 0 before */
    int *wanted; /* out: absent tiles that would have to be computed; 0 before */
    struct clock *clock; /* halted where there are such */
    ALIGN8 struct physics p;
};

#endif
