/* A stage: a running simulation stopped within a step, at the launch of each kernel. What the kernels
 * read there is kept, what they write goes elsewhere, so that any of them can be launched again and
 * again, with any block, on a real state. It owns the device; one process has one. */
#ifndef SHOAL_STAGE_H
#define SHOAL_STAGE_H

#include "core/options/run_config.h"
#include "experiments/tuner/trial.h"

/* What is run to get there. `config` holds case, size, precision, mode, plug-ins, backend, device and
 * threads; scheme and early exit are set from here. */
struct stage_setup {
    struct config config; /* its reconstruction is not `auto` */
    const char *scheme;
    int early_exit; /* for the kernels with lists of blocks */
    int fixed;      /* steps of a fixed length, which may have kernels of their own */
    int steps;      /* made before the one that is looked at */
};

/* Stages that together launch all of `kernels` (NULL at the end); how many, or -1 with an error set
 * where no scheme launches one of them. `config` is the common part. */
enum { MOST_STAGES = 16 };
int stages_for(const struct kernel *const kernels[], const struct config *config,
               struct stage_setup setups[MOST_STAGES]);

/* Does a stage with this setup launch the kernel, and so as it is tuned (struct kernel, turns)? */
int stage_launches(const struct stage_setup *setup, const struct kernel *k);

struct stage;

/* Compiles, runs up to the step, and (on a CPU) binds this process's threads to cores until
 * stage_destroy. */
enum err stage_create(struct stage **out, const struct stage_setup *setup);
void stage_destroy(struct stage *s); /* accepts NULL */
int stage_has(struct stage *s, const struct kernel *k);

/* The recipe of a kernel with a block, as the setup wants it compiled; it points to the setup's texts.
 * Needs no stage. */
enum err stage_recipe(const struct stage_setup *setup, const struct kernel *k, struct block b,
                      struct recipe *r);

/* What it stands on, for a session's record: "circular-dam 4096x4096 after 200 steps of rk2, t = 0.1 s". */
void stage_describe(const struct stage *s, char *text, size_t n);

/* Loads a compiled trial, notes what is known of it without running it, runs it once and compares
 * what it wrote with the strict reference: the same kernel in strict mode with its default block,
 * which must agree to the bit in strict mode, and in fast mode to a few times what the default block's
 * fast code is off. With early exit it is compared once with all blocks computed and once with resting
 * ones left out. A trial that fails says so itself; an error means that the device can no longer be
 * used, and that this process had better end. */
enum err stage_admit(struct stage *s, struct trial *t);

/* Times every one of `count` admitted trials `repeats` times, all launches in one random order, after
 * one launch of each that is not counted; and the sentinel between them. Appends to their timings and
 * notes clocks, temperature and throttling. */
enum err stage_time(struct stage *s, struct trial *const trials[], int count, int repeats,
                    unsigned random);

/* Unloads a trial. */
void stage_drop(struct stage *s, struct trial *t);

#endif
