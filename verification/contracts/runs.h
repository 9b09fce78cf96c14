/* Promises tested by whole runs: on small grids first, so that the reported example is the
 * smallest. */
#ifndef SHOAL_RUNS_H
#define SHOAL_RUNS_H

#include "verification/contracts/contract.h"
#include "verification/contracts/plugin_loader.h"
#include "verification/run/simulate.h"

/* A run's size, where steps are 0 to the scene's end; lists go from small to large and end with zeros. */
struct rung {
    int nx, ny;
    long steps;
};

/* The result of one run. */
struct seen {
    int broken;
    char example[200]; /* the outcome */
    const char *why;   /* replaces the question's `wrong`; null: keep that */
};

struct run_question {
    const char *check;
    const struct rung *rungs;
    enum err (*breaks)(const struct config *c, const struct rung *g, struct seen *seen);
    const char *wrong; /* what is wrong and the probable cause; follows the name */
    const char *holds;
    int f64_only; /* rounding would hide it */
};

/* One remark. Fails where a run cannot be made. */
enum err ask_runs(const char *name, const struct config of[PRECISIONS],
                  const struct run_question *q, struct remarks *r);

/* Sets broken with an example, printf style. */
void saw(struct seen *seen, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Runs a scene for g->steps. If it breaks down or is not finite it is reported, and *ok is 0: then
 * there is nothing to free. */
enum err run_steps(const struct config *c, const struct scene *s, long steps, struct outcome *o,
                   struct seen *seen, int *ok);

/* The same, and frees the scene. */
enum err run_and_free(const struct config *c, struct scene *s, long steps, struct outcome *o,
                      struct seen *seen, int *ok);

/* Reports if two states differ in a bit; zeros of either sign are equal. */
void saw_gap(struct seen *seen, const struct scene *expected, const struct scene *got);

/* Reports if a transformed scene runs differently, or if a run fails (see run_steps). */
enum err runs_otherwise(const struct config *c, const struct scene *s, long steps,
                        const struct aspect *a, struct seen *seen);

/* The largest relative error of the volume that rounding explains. Each substep rounds every level
 * by up to half a spacing, which adds up like a random walk; a lost flux is 1e-5 and more. */
double volume_limit(const struct config *c);

/* A flow of the scheme's system: fronts over a rough bed; or, for one without a bed, a gentle basin. Between walls. */
enum err flow_between_walls(const struct config *c, const struct rung *g, struct scene *s);

/* Checks that schemes and plug-ins share. */
enum err breaks_down(const struct config *c, const struct rung *g, struct seen *seen);
enum err changes_mirrored_x(const struct config *c, const struct rung *g, struct seen *seen);
enum err changes_mirrored_y(const struct config *c, const struct rung *g, struct seen *seen);
enum err changes_transposed(const struct config *c, const struct rung *g, struct seen *seen);
enum err changes_volume(const struct config *c, const struct rung *g, struct seen *seen);
enum err stirs_a_lake(const struct config *c, const struct rung *g, struct seen *seen);

extern const struct rung small_rungs[], few_rungs[];

/* Tests a plug-in by whole runs of the default scheme; `failed`: it failed already, so that a run
 * would only repeat that. */
enum err runs_of_plugin(const struct plugin *plugin, enum plugin_kind kind, int failed,
                        struct remarks *r);

#endif
