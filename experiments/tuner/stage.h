/* A stage: a running simulation stopped within a step, at the launch of each kernel. It keeps what
 * the kernels read and redirects what they write, so that any of them can be launched again and
 * again, with any block, on a real state. It owns the device; a process has only one. */
#ifndef SHOAL_STAGE_H
#define SHOAL_STAGE_H

#include "core/options/run_config.h"
#include "experiments/tuner/trial.h"

/* The run that leads there. `config` has case, size, precision, mode, plug-ins, backend, device and
 * threads; scheme and early exit are set from this struct. */
struct stage_setup {
    struct config config; /* its reconstruction is not `auto` */
    const char *scheme;
    int early_exit; /* for the kernels with lists of blocks */
    int fixed;      /* steps of a fixed length, which may have separate kernels */
    int steps;      /* before the stage's step */
};

/* Stages that together launch all of `kernels` (NULL at the end); returns how many, or -1 with an
 * error set if no scheme launches one of them. `config` is the common part. */
enum { MOST_STAGES = 16 };
int stages_for(const struct kernel *const kernels[], const struct config *config,
               struct stage_setup setups[MOST_STAGES]);

/* Does a stage with this setup launch the kernel, in the way for which it is tuned (struct kernel,
 * turns)? */
int stage_launches(const struct stage_setup *setup, const struct kernel *k);

struct stage;

/* Compiles, runs up to the step, and (on a CPU) binds this process's threads to cores until
 * stage_destroy. */
enum err stage_create(struct stage **out, const struct stage_setup *setup);
void stage_destroy(struct stage *s); /* accepts NULL */
int stage_has(struct stage *s, const struct kernel *k);

/* The recipe of a kernel with a block for the setup; it points to the setup's texts. Needs no
 * stage. */
enum err stage_recipe(const struct stage_setup *setup, const struct kernel *k, struct block b,
                      struct recipe *r);

/* Describes its state, for a session's record: "circular-dam 4096x4096 after 200 steps of rk2, t =
 * 0.1 s". */
void stage_describe(const struct stage *s, char *text, size_t n);

/* Loads a compiled trial, records its static data, runs it once and compares its output with the
 * strict reference: the same kernel in strict mode with its default block, which must agree to the
 * bit in strict mode, and in fast mode to a few times the error of the default block's fast code.
 * With early exit it is compared once with all blocks computed and once with resting ones skipped.
 * A failed trial records that itself; an error means that the device is unusable, and that this
 * process should end. */
enum err stage_admit(struct stage *s, struct trial *t);

/* Times each of `count` admitted trials `repeats` times, all launches in one random order, after
 * one untimed launch of each, with the sentinel between them. Appends to their timings and records
 * clocks, temperature and throttling. */
enum err stage_time(struct stage *s, struct trial *const trials[], int count, int repeats,
                    unsigned random);

/* Unloads a trial. */
void stage_drop(struct stage *s, struct trial *t);

#endif
