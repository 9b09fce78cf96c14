/* Parts of experiments/tuner/stage.c: what was kept of the step that is looked at, and how a kernel is
 * launched on it. */
#ifndef SHOAL_STAGE_PARTS_H
#define SHOAL_STAGE_PARTS_H

#include <sched.h>

#include "core/problem/problem.h"
#include "core/sim/sim.h"
#include "kernels/volume.h"
#include "experiments/tuner/stage.h"

/* COMPARED_ROW: reals; the room of an output is so many of these rows. */
enum { COMPARED_ROW = 2048, MOST_FIELDS = MOST_OUTPUTS * MOST_INPUTS, MOST_ARGS = 512 };
enum { MOST_LOADED = 8192 };

/* What a step books of a quantity, and by how much an unknown leaves its bounds in it: kernels/systems/sediment.h. */
struct books {
    counter sum[VOLUME_COUNTERS];
    double excess;
};

/* What is known of the right answer. */
struct reference {
    struct slot *strict; /* the default block in strict mode; null: nothing is known yet */
    double allowed[3];   /* distance in each field, in the run's mode */
    double speed, speed_allowed;
    counter counters[COUNTERS];
    struct books books;
};

/* A kernel at its last launch in the step: its arguments, which point to copies of what it read. */
struct capture {
    struct recipe recipe; /* as the simulation has it */
    const struct argument_places *takes;
    _Alignas(16) unsigned char args[MOST_ARGS];
    void *copy[MOST_FIELDS];
    int fields; /* of them that are needed */
    struct reference reference;
};

/* A kernel with a block, loaded. */
struct slot {
    struct sim_kernel kernel;
    struct capture *of;
    struct wetness wet; /* which blocks it computes; skip is what was allocated for it */
};

/* Three fields to write to. */
struct outputs {
    void *field[3];
};

/* What a launch computes: all blocks, or (a kernel with a list of blocks) only those where something
 * moves. */
enum pass { ALL_BLOCKS, MOVING_BLOCKS };

struct stage {
    struct stage_setup setup;
    struct config config; /* of the simulation */
    struct problem problem;
    struct sim *sim;
    unsigned long steps; /* made before the step */
    double t;

    struct capture capture[SCHEME_KERNELS];
    int captures;
    int counting; /* the hook only looks what has to be kept */

    void *owned[SCHEME_KERNELS * MOST_FIELDS + 32]; /* device memory */
    int owned_count;
    size_t room;              /* of a field of its own, bytes: whole rows of the comparison */
    struct outputs got, want; /* a trial's, the reference's */
    void *speeds, *counters, *rim, *active;
    void *booked, *excess, *away; /* of a system without a bed */
    struct ahead *ahead;          /* has the counters in it */
    long most_blocks;             /* that these have room for */
    struct clock *clock[2];       /* by enum pass: what select takes the age of its map from */
    struct capture *want_of;      /* whose answer `want` holds, and of which pass */
    enum pass want_pass;

    struct sim_kernel *select; /* null where no kernel has a list of blocks */
    struct select_args select_args;
    int *moving; /* cells that move, summed over all cells to the south and west of each corner */
    double moving_share;

    struct sim_kernel compare;
    void *distance; /* what it finds, block by block */

    struct slot *slot[MOST_LOADED]; /* a trial's handle less one is an index here */
    const char *method;             /* of timing; null until the first round */
    cpu_set_t cpus;                 /* this process's, before its threads were bound to them */
    int bound;
};

/* Device memory that lives as long as the stage. */
enum err stage_room(struct stage *s, size_t bytes, void **p);

/* Is this launch of a tuned kernel one that it is tuned for? One that may transpose and does not takes
 * blocks that are bad at it. */
enum err stage_counts(const struct kernel *k, const void *args, int *counts);

struct capture *stage_capture(struct stage *s, const struct kernel *k);

/* Compiles in parallel what answers will be compared with; one that fails is reported when it is asked for. */
void stage_compile_references(const struct stage *s);

/* Finds the cells that move, for kernels with lists of blocks. */
enum err stage_find_moving(struct stage *s);

/* Loads a kernel that was compiled to `path`, which may be null. */
enum err stage_open(struct stage *s, struct capture *c, const struct recipe *r, const char *path,
                    struct slot **out);
void stage_shut(struct stage *s, struct slot *slot); /* accepts NULL */

/* Decides which blocks the next launches compute; nothing to do for a kernel without a list. */
enum err stage_choose(struct stage *s, struct slot *slot, enum pass pass);

enum err stage_launch(struct stage *s, struct slot *slot, const struct outputs *to);

/* Blocks of a launch. */
long stage_blocks(const struct slot *slot);

/* Compares two fields on the device. distance: 0 if and only if every bit agrees, INFINITY if one is a
 * NaN where the other is not. size: the largest absolute value in `want`. */
enum err stage_compare(struct stage *s, const void *got, const void *want, double *distance,
                       double *size);
enum err stage_compare_launch(struct stage *s, const void *got, const void *want);
enum err stage_compare_load(struct stage *s);

/* The largest of n patterns on the device, as a number; INFINITY for a NaN. */
enum err stage_largest(struct stage *s, const void *patterns, size_t n, double *largest);

/* One OpenMP thread to a core, where threads compute; and back. */
void stage_bind(struct stage *s);
void stage_unbind(struct stage *s);

#endif
