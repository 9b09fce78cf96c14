/* What is asked, in the order of the table; and the ways to run a flow otherwise. */
#include "verification/certify/questions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/compile/c_compiler.h"
#include "core/registry/registry.h"
#include "verification/certify/same_bits.h"

const struct question questions[] = {
    {"stored", "every scheme and case: the stored bits", {1, 1}, 1, ask_stored},
    {"backends", "CPU and CUDA", {1, 1}, 1, ask_backends},
    {"again", "run to run", {1, 1}, 0, ask_again},
    {"threads", "1, 2 and 7 threads", {1, 0}, 0, ask_threads},
    {"blocks", "blocks of any shape", {1, 1}, 0, ask_blocks},
    {"orders", "threads and blocks forward, reversed, shuffled", {1, 0}, 0, ask_orders},
    {"compilers", "gcc and clang", {1, 0}, 0, ask_compilers},
    {"exchanged", "x and y exchanged", {1, 1}, 0, ask_exchanged},
    {"pauses", "in one go and with pauses", {1, 1}, 0, ask_pauses},
    {"restart", "straight on and restarted", {1, 1}, 0, ask_restart},
    {"early_exit", "without and with early exit", {1, 1}, 0, ask_early_exit},
    {"graphs", "without and with CUDA graphs", {0, 1}, 0, ask_graphs},
    {.name = NULL},
};

static enum err as_it_is(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    (void)n;
    return simulate(c, s, o);
}

enum err ask_again(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {.variation = {{"once more", as_it_is, 0, -1}}};
    return witness_compare(c, b, &how, a);
}

static enum err with_threads(const struct config *c, const struct scene *s, int n,
                             struct outcome *o)
{
    struct config other = *c;
    other.threads = n;
    return simulate(&other, s, o);
}

/* So many cells that the CPU backend shares them among its threads. */
enum err ask_threads(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {
        .nx = 211,
        .ny = 157,
        .steps = 4,
        .variation = {{"with 2 threads", with_threads, 2, -1},
                      {"with 7 threads", with_threads, 7, -1}},
    };
    return witness_compare(c, b, &how, a);
}

/* Neither divides the domain. */
static const struct block shapes[] = {{16, 12}, {7, 5}};

static enum err in_blocks(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    struct config other = *c;
    witness_blocks(&other, shapes[n], NULL);
    return simulate(&other, s, o);
}

/* Each shape in one precision: kernels for it must be compiled, which takes most of the time. */
enum err ask_blocks(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {
        .variation = {{"in blocks of 16 x 12", in_blocks, 0, F32},
                      {"in blocks of 7 x 5", in_blocks, 1, F64}},
    };
    return witness_compare(c, b, &how, a);
}

static enum err in_order(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    struct config other = *c;
    other.order = n;
    return simulate(&other, s, o);
}

enum err ask_orders(struct certifying *c, enum backend_kind b, struct answer *a)
{
    enum { REVERSED = 1, SHUFFLED };
    static const struct comparison how = {
        .nx = 35,
        .ny = 19,
        .steps = 2,
        .variation = {{"in reversed order", in_order, REVERSED, F32},
                      {"in shuffled order", in_order, SHUFFLED, F64}},
    };
    return witness_compare(c, b, &how, a);
}

static const char *const compilers[] = {"gcc", "clang"};

/* Kernels only are compiled otherwise, and hold no OpenMP: there is one runtime of it, this program's. */
static enum err by_compiler(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    cc_choose(compilers[n]);
    const enum err e = simulate(c, s, o);
    cc_choose(NULL);
    return e;
}

/* The first line of what a compiler says of itself, "" where it is not here. */
static void version_of(const char *name, char text[256])
{
    cc_choose(name);
    if (cc_version(text, 256))
        *text = '\0';
    cc_choose(NULL);
}

/* Each of them that is here and not the usual one against that. */
enum err ask_compilers(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const char *const names[] = {"by gcc", "by clang"};
    struct comparison how = {0};
    char usual[256], other[256];
    int count = 0;
    version_of(NULL, usual);
    for (int k = 0; k < 2; k++) {
        version_of(compilers[k], other);
        if (*other && strcmp(other, usual) != 0)
            how.variation[count++] = (struct variation){names[k], by_compiler, k, -1};
    }
    if (count)
        return witness_compare(c, b, &how, a);
    snprintf(a->absent, sizeof a->absent,
             "of gcc and clang only %s can be started: install the other", usual);
    return ERR_OK;
}

/* Split schemes, and only they, sweep in the other order where x and y change places. For others that order is made
 * by exchanging them, so that nothing would be asked. */
static enum err exchanged(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    static const struct aspect exchange = {.how = EXCHANGE};
    struct config other = *c;
    struct scene seen, back;
    (void)n;
    simulate_otherwise(&other, &exchange);
    TRY(scene_otherwise(&seen, s, &exchange));
    enum err e = simulate(&other, &seen, o);
    scene_free(&seen);
    TRY(e);
    e = scene_otherwise(&back, &o->state, &exchange);
    scene_free(&o->state);
    if (!e)
        o->state = back;
    return e;
}

enum err ask_exchanged(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {.variation = {{"x and y exchanged", exchanged, 0, -1}}};
    return witness_compare(c, b, &how, a);
}

/* A flow for early exit: a pond on one side of land that is dry elsewhere. */
static enum err pond(struct scene *s, int nx, int ny)
{
    TRY(witness_shore(s, nx, ny));
    scene_edges(s, WALL, WALL);
    scene_level(s, -2);
    scene_stir(s, 0, 1);
    scene_dam(s, 0.2 * nx, 0.3 * ny, 0.15 * nx, 1.5);
    return ERR_OK;
}

static int has_early_exit(const struct scheme *s)
{
    return s->on_demand > 0;
}

static enum err with_early_exit(const struct config *c, const struct scene *s, int n,
                                struct outcome *o)
{
    struct config other = *c;
    (void)n;
    other.early_exit = EARLY_EXIT_ON;
    witness_blocks(&other, (struct block){16, 8}, "_ee");
    return simulate(&other, s, o);
}

enum err ask_early_exit(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {
        .nx = 131,
        .ny = 67,
        .scene = pond,
        .applies = has_early_exit,
        .variation = {{"with early exit", with_early_exit, 0, -1}},
    };
    return witness_compare(c, b, &how, a);
}

static enum err with_graphs(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    struct config other = *c;
    (void)n;
    other.graphs = GRAPHS_ON;
    return simulate(&other, s, o);
}

enum err ask_graphs(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {
        .steps = 3 * GRAPH_PASSES + 2,
        .variation = {{"with graphs", with_graphs, 0, -1}},
    };
    return witness_compare(c, b, &how, a);
}

/* As `--every` does: the run stops at times that no step meets, is looked at, and goes on. */
static enum err with_pauses(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    struct sim *sim = NULL;
    enum err e = ERR_OK;
    TRY(simulation_create(&sim, c, s));
    for (int k = 1; k <= n && !e; k++) {
        e = sim_run(sim, 0.037 * k, NULL);
        if (!e)
            e = simulation_outcome(sim, s, o);
        if (!e)
            outcome_free(o);
    }
    if (!e)
        e = sim_run(sim, (double)INFINITY, NULL);
    if (!e)
        e = simulation_outcome(sim, s, o);
    sim_destroy(sim);
    return e;
}

enum err ask_pauses(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {.variation = {{"with pauses", with_pauses, 5, -1}}};
    return witness_compare(c, b, &how, a);
}
