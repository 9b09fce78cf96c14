/* What the device keeps of passes that judge each other's steps: linked_clock.h. Separate from it, as the host includes
 * this text. */
#ifndef SHOAL_LINKED_PASSES_H
#define SHOAL_LINKED_PASSES_H

#include "args.h"

#include "own_ghosts.h"

#ifdef __cplusplus
#define ALIGN16 alignas(16)
#else
#define ALIGN16 _Alignas(16)
#endif

/* A pass. Its size is a whole number of pairs of 64 bits, in which blocks load it. */
struct link {
    ALIGN16 struct terms terms; /* of its step */
    int tried;                  /* it tries one */
    int crossed;                /* the state lies where the pass would write it */
};

/* The `place` of a pass counts those that follow each other in launches; its number, from `first` on, all of the run. Its blocks
 * write into the places that both choose, and read those of the pass before; the clock's thread clears the next one's. */
struct linked {
    counter clipped[2][COUNTERS]; /* by the step: it counts if that is accepted */
    struct link pass[2];
    bits speed[4]; /* largest wave speed over the cell size, 1/s */
    unsigned first;
};

#endif
