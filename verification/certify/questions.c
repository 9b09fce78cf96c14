/* The questions, in the order of the table; and the variations of a flow. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/compile/c_compiler.h"
#include "core/device/gpu_probe.h"
#include "core/registry/registry.h"
#include "core/sim/active_tiles.h"
#include "verification/certify/same_bits.h"

static void with_threads(struct config *c, int n)
{
    c->threads = n;
}

static const char *const cuts[] = {"2", "7", "3x2"};

static void in_parts(struct config *c, int n)
{
    (void)shares_read(cuts[n], &c->parts);
}

static void by_processes(struct config *c, int n)
{
    c->ranks = n;
    c->parts = shares_rows(n + 1);
}

/* Neither divides the domain. */
static const struct block shapes[] = {{16, 12}, {7, 5}};

static void in_blocks(struct config *c, int n)
{
    witness_blocks(c, shapes[n], NULL);
}

enum { REVERSED = 1, SHUFFLED };

static void in_order(struct config *c, int n)
{
    c->order = n;
}

static void with_early_exit(struct config *c, int n)
{
    (void)n;
    c->early_exit = EARLY_EXIT_ON;
    witness_blocks(c, (struct block){16, 8}, "_ee");
}

/* Cut into parts. */
static void with_graphs(struct config *c, int n)
{
    c->graphs = GRAPHS_ON;
    c->parts = shares_rows(n);
}

static void on_two_gpus(struct config *c, int n)
{
    c->devices = (struct device_list){.count = 2, .of = {n, n + 1}};
    c->graphs = GRAPHS_ON;
}

static enum err ask_devices(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison how = {
        .steps = 3 * GRAPH_PASSES + 2,
        .variation = {
            {.name = "on GPUs 0 and 1", .n = 0, .precision = -1, .configure = on_two_gpus}}};
    struct gpu second;
    TRY(gpu_find(1, &second));
    if (second.here)
        return witness_compare(c, b, &how, a);
    snprintf(a->absent, sizeof a->absent, "there is no second GPU: %s", second.why);
    return ERR_OK;
}

static const char *const compilers[] = {"gcc", "clang"};

/* Only kernels are compiled with the other compiler, and contain no OpenMP: the only runtime is
 * this program's. */
static enum err by_compiler(const struct config *c, const struct scene *s, int n, struct outcome *o)
{
    cc_choose(compilers[n]);
    const enum err e = simulate(c, s, o);
    cc_choose(NULL);
    return e;
}

/* The first line of a compiler's --version, "" if it is not installed. */
static void version_of(const char *name, char text[256])
{
    cc_choose(name);
    if (cc_version(text, 256))
        *text = '\0';
    cc_choose(NULL);
}

/* Each installed compiler against the default one. */
static enum err ask_compilers(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const char *const names[] = {"by gcc", "by clang"};
    struct comparison how = {0};
    char usual[256], other[256];
    int count = 0;
    version_of(NULL, usual);
    for (int k = 0; k < 2; k++) {
        version_of(compilers[k], other);
        if (*other && strcmp(other, usual) != 0)
            how.variation[count++] =
                (struct variation){.name = names[k], .n = k, .precision = -1, .run = by_compiler};
    }
    if (count)
        return witness_compare(c, b, &how, a);
    snprintf(a->absent, sizeof a->absent,
             "of gcc and clang only %s can be started: install the other", usual);
    return ERR_OK;
}

/* Split schemes, and only they, sweep in the other order where x and y change places. Others make
 * that order by exchanging them, which would compare nothing. */
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

static int may_have_tiles(const struct scheme *s)
{
    return !s->split;
}

static int may_carry(const struct scheme *s)
{
    return s->also != NULL;
}

/* Above 0, in parts as well. */
static void in_tiles(struct config *c, int n)
{
    c->tile = n ? (struct tile_size){12, 9} : (struct tile_size){28, 28};
    if (n)
        in_parts(c, n);
}

static enum err dyed_shore(struct scene *s, int nx, int ny)
{
    scene_solve(find_system("tracer"));
    const enum err e = witness_shore(s, nx, ny);
    scene_solve(NULL);
    return e;
}

/* The shore, of whose outcome only the water counts. */
static enum err with_a_tracer(const struct config *c, const struct scene *s, int n,
                              struct outcome *o)
{
    struct scene dyed;
    (void)n;
    TRY(dyed_shore(&dyed, s->nx, s->ny));
    const enum err e = simulate(c, &dyed, o);
    scene_free(&dyed);
    if (!e)
        o->state.system = s->system;
    return e;
}

/* It does not act on the water, and c itself is the same in any pieces. */
static enum err ask_tracer(struct certifying *c, enum backend_kind b, struct answer *a)
{
    static const struct comparison of_water = {
        .scene = witness_shore,
        .applies = may_carry,
        .variation = {{.name = "with a tracer", .n = 0, .precision = -1, .run = with_a_tracer}}};
    static const struct comparison of_tracer = {
        .scene = dyed_shore,
        .applies = may_carry,
        .variation = {{.name = "with a tracer, once more", .n = 0, .precision = -1},
                      {.name = "with a tracer in 3 x 2 parts",
                       .n = 2,
                       .precision = -1,
                       .configure = in_parts},
                      {.name = "with a tracer in tiles of 12 x 9, in 3 x 2 parts",
                       .n = 2,
                       .precision = F32,
                       .configure = in_tiles}}};
    TRY(witness_compare(c, b, &of_water, a));
    return witness_compare(c, b, &of_tracer, a);
}

static int may_be_sparse(const struct scheme *s)
{
    return !s->split && !active_tiles_stranger(s);
}

static void sparsely(struct config *c, int n)
{
    c->domain = DOMAIN_SPARSE;
    c->early_exit = EARLY_EXIT_AUTO;
    c->tile = (struct tile_size){28, n};
}

/* Like `--every`: the run pauses at times that no step meets, its state is read, and it
 * continues. */
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

const struct question questions[QUESTIONS] = {
    [ASK_STORED] =
        {"stored", "every scheme and case: the stored bits", {1, 1}, 1, .ask = ask_stored},
    [ASK_BACKENDS] = {"backends", "CPU and CUDA", {1, 1}, 1, .ask = ask_backends},
    [ASK_AGAIN] = {"again",
                   "run to run",
                   {1, 1},
                   .how = {.variation = {{.name = "once more", .n = 0, .precision = -1}}}},
    /* Enough cells for the CPU backend to distribute over its threads. */
    [ASK_THREADS] = {"threads",
                     "1, 2 and 7 threads",
                     {1, 0},
                     .how = {.nx = 211,
                             .ny = 157,
                             .steps = 4,
                             .variation = {{.name = "with 2 threads",
                                            .n = 2,
                                            .precision = -1,
                                            .configure = with_threads},
                                           {.name = "with 7 threads",
                                            .n = 7,
                                            .precision = -1,
                                            .configure = with_threads}}}},
    /* Each shape in one precision: compiling its kernels takes most of the time. */
    [ASK_BLOCKS] = {"blocks",
                    "blocks of any shape",
                    {1, 1},
                    .how = {.variation = {{.name = "in blocks of 16 x 12",
                                           .n = 0,
                                           .precision = F32,
                                           .configure = in_blocks},
                                          {.name = "in blocks of 7 x 5",
                                           .n = 1,
                                           .precision = F64,
                                           .configure = in_blocks}}}},
    [ASK_PARTS] =
        {"parts",
         "in one piece, in 2, 7 and 3 x 2 parts",
         {1, 1},
         .how = {.variation =
                     {{.name = "in 2 parts", .n = 0, .precision = -1, .configure = in_parts},
                      {.name = "in 7 parts", .n = 1, .precision = -1, .configure = in_parts},
                      {.name = "in 3 x 2 parts", .n = 2, .precision = -1, .configure = in_parts}}}},
    [ASK_TILES] = {"tiles",
                   "in one piece, in tiles, in tiles of parts",
                   {1, 1},
                   .how = {.first = 1,
                           .applies = may_have_tiles,
                           .variation = {{.name = "in tiles of 28 x 28",
                                          .n = 0,
                                          .precision = -1,
                                          .configure = in_tiles},
                                         {.name = "in tiles of 12 x 9, in 3 x 2 parts",
                                          .n = 2,
                                          .precision = F32,
                                          .configure = in_tiles}}}},
    [ASK_TRACER] = {"tracer",
                    "without and with a tracer, in pieces too",
                    {1, 1},
                    .ask = ask_tracer},
    /* One of them has two parts. */
    [ASK_RANKS] = {"ranks",
                   "in one process, by 2, 3 and 4",
                   {1, 1},
                   .how = {.variation = {{.name = "by 2 processes",
                                          .n = 2,
                                          .precision = -1,
                                          .configure = by_processes},
                                         {.name = "by 3 processes",
                                          .n = 3,
                                          .precision = -1,
                                          .configure = by_processes},
                                         {.name = "by 4 processes",
                                          .n = 4,
                                          .precision = -1,
                                          .configure = by_processes}}}},
    [ASK_ORDERS] = {"orders",
                    "threads and blocks forward, reversed, shuffled",
                    {1, 0},
                    .how = {.nx = 35,
                            .ny = 19,
                            .steps = 2,
                            .variation = {{.name = "in reversed order",
                                           .n = REVERSED,
                                           .precision = F32,
                                           .configure = in_order},
                                          {.name = "in shuffled order",
                                           .n = SHUFFLED,
                                           .precision = F64,
                                           .configure = in_order}}}},
    [ASK_COMPILERS] = {"compilers", "gcc and clang", {1, 0}, .ask = ask_compilers},
    [ASK_EXCHANGED] = {"exchanged",
                       "x and y exchanged",
                       {1, 1},
                       .how = {.variation = {{.name = "x and y exchanged",
                                              .n = 0,
                                              .precision = -1,
                                              .run = exchanged}}}},
    [ASK_PAUSES] = {"pauses",
                    "in one go and with pauses",
                    {1, 1},
                    .how = {.variation = {{.name = "with pauses",
                                           .n = 5,
                                           .precision = -1,
                                           .run = with_pauses}}}},
    [ASK_RESTART] = {"restart", "straight on and restarted", {1, 1}, .ask = ask_restart},
    [ASK_EARLY_EXIT] = {"early_exit",
                        "without and with early exit",
                        {1, 1},
                        .how = {.nx = 131,
                                .ny = 67,
                                .scene = pond,
                                .applies = has_early_exit,
                                .variation = {{.name = "with early exit",
                                               .n = 0,
                                               .precision = -1,
                                               .configure = with_early_exit}}}},
    [ASK_SPARSE] = {"sparse",
                    "sparse and full",
                    {1, 1},
                    .how = {.nx = 131,
                            .ny = 67,
                            .scene = pond,
                            .applies = may_be_sparse,
                            .variation = {{.name = "in a sparse domain",
                                           .n = 28,
                                           .precision = -1,
                                           .configure = sparsely},
                                          {.name = "in a sparse domain of thin tiles",
                                           .n = 5,
                                           .precision = F32,
                                           .configure = sparsely},
                                          {.name = "in a sparse domain of thinner tiles",
                                           .n = 4,
                                           .precision = F64,
                                           .configure = sparsely}}}},
    [ASK_GRAPHS] = {"graphs",
                    "without and with CUDA graphs",
                    {0, 1},
                    .how = {.steps = 3 * GRAPH_PASSES + 2,
                            .variation = {{.name = "with graphs",
                                           .n = 1,
                                           .precision = -1,
                                           .configure = with_graphs},
                                          {.name = "with graphs of 3 parts",
                                           .n = 3,
                                           .precision = -1,
                                           .configure = with_graphs}}}},
    [ASK_DEVICES] = {"devices", "on one GPU and on two", {0, 1}, .ask = ask_devices},
};

enum err certify_ask(struct certifying *c, int question, enum backend_kind b, struct answer *a)
{
    const struct question *q = &questions[question];
    a->asked = 1;
    return q->ask ? q->ask(c, b, a) : witness_compare(c, b, &q->how, a);
}
