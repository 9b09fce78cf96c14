/* Shared by the strategies: the blocks of a search, their state, and the planned requests. */
#ifndef SHOAL_SEARCH_PARTS_H
#define SHOAL_SEARCH_PARTS_H

#include "experiments/tuner/search.h"

enum point_state { POINT_FREE, POINT_PLANNED, POINT_OUT, POINT_TOLD };

struct point {
    struct block b;
    enum point_state state;
    int listed;       /* in the kernel's space; the others are finer than it */
    int ended;        /* the time is a lower bound */
    double us;        /* once answered; INFINITY: it failed */
    int group;        /* the watchdog compares it with those of its group; 0: with all */
    double patience;  /* and stops it after this times the best of them */
    double predicted; /* by the guided strategy: log of the time by the base's */
    enum search_role role;
};

/* Room for blocks that are not in the space: seeds, and those that descents try between its
 * blocks. */
enum { POINTS_MORE = 256 };

struct search {
    struct search_setup setup;
    struct block *seeds; /* setup's */
    struct point *point;
    int count, room;
    int *order;         /* of asking: the planned points, by index */
    int planned, asked; /* of order; asked <= planned */
    int out;            /* requested and not answered */
    int phase;          /* of the strategy */
    int centre;         /* of a descent; -1: none yet */
    unsigned long long random;
};

/* Plans the next points of a strategy, once all planned ones are answered; none: the search is
 * over. It depends on times only, not on their order. */
typedef void search_plan(struct search *s);
search_plan plan_exhaustive, plan_pruned, plan_random, plan_guided, plan_seeded;

/* The point of a block, -1 if there is none. */
int search_find(const struct search *s, struct block b);

/* The same; adds a new one if there is none, the block violates no limit, and there is room. */
int search_add(struct search *s, struct block b);

/* Plans a point, unless it is -1 or was planned before. */
void search_want(struct search *s, int point, double patience, int group);

/* The fastest point whose exact time is known, among equals the first of the space; -1 if there is
 * none. */
int search_best(const struct search *s);

/* Plans `most` points of the space that were not planned yet, in random order. */
void search_scatter(struct search *s, int most, double patience);

/* Plans the next step down from the best point; nothing where it is a minimum. */
void search_descend(struct search *s);

/* Blocks around one, closer than those of the space: a step of the widths and up to two cells of
 * the heights away; how many. */
enum { SPACE_AROUND = 14 };
int space_around(const struct kernel *k, enum backend_kind backend, struct block b,
                 struct block out[SPACE_AROUND]);

#endif
