/* Early exit: steps that leave out the blocks in which nothing moves give the bits of steps that leave
 * out none, and do leave them out. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/initial.h"
#include "core/log.h"
#include "core/registry.h"
#include "tests/support/scratch.h"
#include "tests/support/simulate.h"

enum { CYCLE = 100, FIRST_CYCLE = 20, TIMED = 3 }; /* schemes/early_exit.c; the thesis's 4.4.2 */
enum { LARGE = 256 };                              /* cells each way from where auto tries */

enum { ROUGH, ISLAND, CORNER, SHEAR, SCENES };

/* Dry land, a column of water at one end. */
static struct scene rough(int nx, int ny)
{
    struct scene s = scene_create(nx, ny);
    s.kappa = 0.05;
    scene_random_bed(&s, 0, 0.3, 91);
    scene_level(&s, -1);
    scene_dam(&s, 9, 7, 5, 2);
    return s;
}

/* A lake at rest over an uneven bed, which a wave from a corner reaches little by little. */
static struct scene corner(int nx, int ny)
{
    struct scene s = scene_create(nx, ny);
    scene_random_bed(&s, -2, -1, 92);
    scene_dam(&s, 0, ny - 1, 3, 0.2);
    return s;
}

/* A stream that is faster the farther to the north, steady to the last bit. What disturbs it reaches
 * as far as the stencil does: a level surface cuts that short, for every limiter is zero there. */
static struct scene shear(int nx, int ny)
{
    struct scene s = scene_create(nx, ny);
    for (int k = 0; k < (nx + 1) * (ny + 1); k++)
        s.bed[k] = -1;
    for (int k = 0; k < nx * ny; k++)
        s.field[1][k] = (k / nx - ny / 2) / 64.0;
    scene_dam(&s, nx / 2, ny / 2, 1, 0.25);
    return s;
}

/* Opposite edges are equal where the domain is periodic. */
static void close_bed(struct scene *s)
{
    for (int j = 0; j <= s->ny && s->boundary[WEST] == PERIODIC; j++)
        s->bed[j * (s->nx + 1) + s->nx] = s->bed[j * (s->nx + 1)];
    for (int i = 0; i <= s->nx && s->boundary[SOUTH] == PERIODIC; i++)
        s->bed[s->ny * (s->nx + 1) + i] = s->bed[i];
}

static struct scene scene(int which, int nx, int ny, enum boundary we, enum boundary sn,
                          double manning)
{
    struct scene s = which == ROUGH    ? rough(nx, ny)
                     : which == ISLAND ? scene_of_case("lake", nx, ny)
                     : which == CORNER ? corner(nx, ny)
                                       : shear(nx, ny);
    if (which == ISLAND)
        scene_dam(&s, 3, 3, 3, 1.2);
    scene_edges(&s, we, sn);
    s.manning = manning;
    s.t_end = 3600;
    close_bed(&s);
    return s;
}

/* A scheme has early exit if it compiles kernels for it when they are wanted. */
static void for_every_scheme_that_has_it(void (*check)(const struct config *c))
{
    int found = 0;
    for (int k = 0; schemes[k]; k++)
        for (int p = 0; schemes[k]->on_demand && p < PRECISIONS; p++) {
            struct config c;
            configure(&c, schemes[k]->name, (enum precision)p);
            c.early_exit = EARLY_EXIT_ON;
            found++;
            check(&c);
        }
    assert_true(found >= 2 * PRECISIONS);
}

/* The same block for all early-exit kernels. */
static struct config cut(const struct config *c, int w, int h)
{
    struct config some = *c;
    const struct scheme *scheme = find_scheme(c->scheme);
    for (const char *const *k = scheme->kernels + scheme->on_demand; *k; k++)
        configure_block(&some, *k, w, h);
    return some;
}

static struct sim *create(const struct config *c, const struct scene *s)
{
    struct sim *sim = NULL;
    if (simulation_create(&sim, c, s))
        fail_msg("%s: %s", described(c), err_message());
    return sim;
}

static void steps(const struct config *c, struct sim *sim, long n)
{
    if (sim_step_many(sim, n))
        fail_msg("%s: %s", described(c), err_message());
}

static struct outcome outcome_of(const struct config *c, struct sim *sim, const struct scene *s)
{
    struct outcome o;
    if (simulation_outcome(sim, s, &o))
        fail_msg("%s: %s", described(c), err_message());
    return o;
}

static void expect_equal(const struct config *c, const char *what, const struct outcome *want,
                         const struct outcome *have)
{
    struct clock clock = have->clock;
    clock.early_exits = want->clock.early_exits;
    clock.map_age = want->clock.map_age;
    expect_same(c, what, &want->state, &have->state, 1);
    if (memcmp(&want->clock, &clock, sizeof clock) != 0)
        fail_msg("%s: %s: step %lu to %.17g s, not step %lu to %.17g s", described(c), what,
                 clock.steps, clock.t, want->clock.steps, want->clock.t);
    if (memcmp(&want->balance, &have->balance, sizeof want->balance) != 0)
        fail_msg("%s: %s: clipped %.17g and %.17g m3, inflow %.17g; not %.17g, %.17g, %.17g",
                 described(c), what, have->balance.clipped_in, have->balance.dried_out,
                 have->balance.inflow, want->balance.clipped_in, want->balance.dried_out,
                 want->balance.inflow);
}

/* The full computation, by the kernels without early exit. */
static struct outcome full(const struct config *c, const struct scene *s, long n)
{
    struct config off = *c;
    off.early_exit = EARLY_EXIT_OFF;
    off.order = 0;
    snprintf(off.backend, sizeof off.backend, "cpu");
    struct outcome o = simulated_steps(&off, s, n);
    assert_int_equal(o.clock.early_exits, 0);
    return o;
}

static void expect_bits_of_full(const struct config *c, const char *what,
                                const struct outcome *want, const struct scene *s, long n)
{
    struct outcome have = simulated_steps(c, s, n);
    expect_equal(c, what, want, &have);
    assert_int_equal(have.clock.early_exits, n);
    outcome_free(&have);
}

struct shape {
    int w, h;
};

/* Tiles whose last ones are a cell wide or high; smaller than a step's reach; rows; longer than wide. */
static const struct shape shapes[] = {{16, 12}, {3, 2}, {65, 1}, {5, 40}, {1, 7}};
enum { SHAPES = sizeof shapes / sizeof *shapes, FEW_SHAPES = 2, NX = 65, NY = 49, STEPS = 60 };
static const char *const scene_name[] = {[ROUGH] = "a rough dry bed",
                                         [ISLAND] = "a lake with an island",
                                         [CORNER] = "a wave into a lake at rest",
                                         [SHEAR] = "a sheared stream"};

/* The scheme with the most kernels takes all shapes in f32; the others share their text. */
static void check_shapes(const struct config *c)
{
    const int all = c->precision == F32 && find_scheme(c->scheme)->on_demand == 4;
    for (int which = 0; which < SCENES; which++) {
        struct scene s = scene(which, NX, NY, WALL, WALL, 0);
        struct outcome want = full(c, &s, STEPS);
        for (int k = 0; k < (all ? SHAPES : FEW_SHAPES); k++) {
            struct config some = cut(c, shapes[k].w, shapes[k].h);
            expect_bits_of_full(&some, scene_name[which], &want, &s, STEPS);
        }
        if (all)
            expect_bits_of_full(c, scene_name[which], &want, &s, STEPS);
        outcome_free(&want);
        scene_free(&s);
    }
}

static void blocks_of_any_shape_give_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_shapes);
}

/* Water comes back at periodic edges, and leaves at open ones. */
static void check_edges(const struct config *c)
{
    static const enum boundary edges[][2] = {
        {OPEN, OPEN}, {PERIODIC, PERIODIC}, {WALL, PERIODIC}, {OPEN, WALL}};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        for (int which = ROUGH; which <= CORNER; which += CORNER - ROUGH) {
            struct scene s = scene(which, NX, NY, edges[k][0], edges[k][1], k % 2 ? 0.03 : 0);
            struct config some = cut(c, shapes[k % 2].w, shapes[k % 2].h);
            struct outcome want = full(&some, &s, STEPS);
            expect_bits_of_full(&some, scene_name[which], &want, &s, STEPS);
            outcome_free(&want);
            scene_free(&s);
        }
}

static void edges_of_any_kind_and_friction_give_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_edges);
}

/* Inside a stream without slopes nothing but friction acts: too little in a short step to change a
 * number, enough in a longer one. */
static struct outcome stream(const struct config *c, const struct scene *s)
{
    struct sim *sim = create(c, s);
    for (int n = 0; n < 20; n++) {
        sim->now.fixed_dt = n < 5 ? 1e-9 : 0.02;
        steps(c, sim, 1);
    }
    struct outcome o = outcome_of(c, sim, s);
    sim_destroy(sim);
    return o;
}

static void check_stream(const struct config *c)
{
    struct scene s = scene_create(NX, NY);
    for (int k = 0; k <= (NX + 1) * (NY + 1) - 1; k++)
        s.bed[k] = -1;
    for (int k = 0; k < NX * NY; k++)
        s.field[1][k] = c->precision == F64 ? 1e-3 : 0.5;
    s.manning = 0.05;
    struct config off = *c, some = cut(c, shapes[1].w, shapes[1].h);
    off.early_exit = EARLY_EXIT_OFF;
    struct outcome want = stream(&off, &s), have = stream(&some, &s);
    expect_equal(&some, "a stream that friction slows down", &want, &have);
    const int middle = NX * (NY / 2) + NX / 2;
    assert_true(fabs(want.state.field[1][middle]) < fabs(s.field[1][middle]));
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void water_that_only_friction_changes_is_not_at_rest(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_stream);
}

/* Threads in another order, with blocks for a GPU. */
static void check_orders(const struct config *c)
{
    struct scene s = scene(ROUGH, 37, 29, OPEN, WALL, 0);
    struct outcome want = full(c, &s, 12);
    for (int order = 1; order <= 2; order++) {
        const int k = (order == 1) ^ (c->precision == F64);
        struct config some = cut(c, shapes[k].w, shapes[k].h);
        some.order = order;
        expect_bits_of_full(&some, "another order of threads", &want, &s, 12);
    }
    outcome_free(&want);
    scene_free(&s);
}

static void the_order_of_threads_does_not_matter(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_orders);
}

static void check_cuda(const struct config *c)
{
    for (int which = 0; which < SCENES; which++)
        for (int k = -1; k < FEW_SHAPES; k++) {
            struct scene s = scene(which, NX, NY, which == ROUGH ? OPEN : WALL, WALL, 0.03);
            struct config cuda = k < 0 ? *c : cut(c, shapes[k].w, shapes[k].h);
            snprintf(cuda.backend, sizeof cuda.backend, "cuda");
            struct outcome want = full(c, &s, STEPS);
            expect_bits_of_full(&cuda, scene_name[which], &want, &s, STEPS);
            outcome_free(&want);
            scene_free(&s);
        }
}

static void the_gpu_gives_the_bits_of_the_cpus_full_computation(void **state)
{
    (void)state;
    char why[512];
    if (!backend_cuda.available(0, why, sizeof why)) {
        print_message("skipped: early exit on a GPU: %s\n", why);
        skip();
    }
    for_every_scheme_that_has_it(check_cuda);
}

/* A pause turns away the steps that the host had given out already, the first one among them. */
static void check_pauses(const struct config *c)
{
    struct scene s = scene(ROUGH, NX, NY, WALL, WALL, 0);
    s.t_end = 1.2;
    struct config off = *c, some = cut(c, shapes[0].w, shapes[0].h);
    off.early_exit = EARLY_EXIT_OFF;
    struct outcome want = simulated(&off, &s);
    struct sim *sim = create(&some, &s);
    for (double t = 0; t <= 1.2; t += 0.2)
        if (sim_run(sim, t, NULL))
            fail_msg("%s: %s", described(&some), err_message());
    if (sim_run(sim, (double)INFINITY, NULL))
        fail_msg("%s: %s", described(&some), err_message());
    struct outcome have = outcome_of(&some, sim, &s);
    have.clock.t_pause = want.clock.t_pause;
    expect_equal(&some, "with pauses", &want, &have);
    sim_destroy(sim);
    outcome_free(&want);
    outcome_free(&have);
    scene_free(&s);
}

static void a_run_with_pauses_gives_the_bits_of_the_full_computation(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_pauses);
}

/* Which cells one more step computes: the flux kernels write R wherever they do not leave out, and
 * nothing else does. 1 if it was written. */
static char *computed(const struct config *c, struct sim *sim)
{
    const struct backend *b = sim->backend;
    const int nx = sim->grid.nx, ny = sim->grid.ny;
    void *r = sim->storage[3 * STATES], *copy = malloc(sim->field_bytes);
    char *seen = malloc((size_t)nx * (size_t)ny);
    assert_true(copy && seen);
    assert_int_equal(b->fill(sim->device, r, 0xff, sim->field_bytes), ERR_OK);
    steps(c, sim, 1);
    assert_int_equal(b->download(sim->device, copy, r, sim->field_bytes), ERR_OK);
    for (int k = 0; k < nx * ny; k++) {
        const size_t at =
            (size_t)((k / nx + GHOSTS) * sim->pitch[PLAIN] + MARGIN + k % nx) * sim->real_size;
        seen[k] = 0;
        for (size_t byte = 0; byte < sim->real_size; byte++)
            seen[k] |= ((unsigned char *)copy)[at + byte] != 0xff;
    }
    free(copy);
    return seen;
}

static int count(const struct sim *sim, const char *seen)
{
    int n = 0;
    for (int k = 0; k < sim->grid.nx * sim->grid.ny; k++)
        n += seen[k];
    return n;
}

/* Cells that one more step computes. */
static int cells_computed(const struct config *c, struct sim *sim)
{
    char *seen = computed(c, sim);
    const int n = count(sim, seen);
    free(seen);
    return n;
}

static void check_rest(const struct config *c)
{
    struct scene dry = scene_create(NX, NY), lake = scene_create(NX, NY);
    scene_random_bed(&dry, 0, 1, 3);
    scene_level(&dry, -1);
    scene_random_bed(&lake, -3, -1, 4);
    const struct scene *still[] = {&dry, &lake};
    for (int k = 0; k < 2; k++) {
        struct config some = cut(c, 16, 12), off = some;
        off.early_exit = EARLY_EXIT_OFF;
        off.dt = some.dt = 0.1;
        struct sim *sim = create(&some, still[k]), *plain = create(&off, still[k]);
        assert_int_equal(cells_computed(&some, sim), NX * NY);
        for (int n = 0; n < 3; n++) {
            const int cells = cells_computed(&some, sim);
            if (cells != 0)
                fail_msg("%s: %d cells of %s are computed", described(&some), cells,
                         k ? "a lake at rest" : "dry land");
            assert_int_equal(cells_computed(&off, plain), NX * NY);
        }
        assert_int_equal(sim->now.early_exits, 4);
        assert_int_equal(plain->now.early_exits, 0);
        sim_destroy(sim);
        sim_destroy(plain);
    }
    scene_free(&dry);
    scene_free(&lake);
}

static void nothing_of_dry_land_or_a_lake_at_rest_is_computed(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_rest);
}

/* Whole blocks are computed or left out; what changes is in computed ones; far from it are others. */
static void check_left_out(const struct config *c)
{
    const int w = 7, h = 5;
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    struct config some = cut(c, w, h);
    struct sim *sim = create(&some, &s);
    steps(&some, sim, 3);
    for (int n = 0; n < 3; n++) {
        struct outcome before = outcome_of(&some, sim, &s);
        char *seen = computed(&some, sim);
        struct outcome after = outcome_of(&some, sim, &s);
        for (int k = 0; k < NX * NY; k++) {
            const int first = k / NX / h * h * NX + k % NX / w * w;
            if (seen[k] != seen[first])
                fail_msg("%s: a part of a block is computed", described(&some));
            for (int f = 0; f < 3; f++)
                if (!seen[k] && !(before.state.field[f][k] - after.state.field[f][k] == 0))
                    fail_msg("%s: cell (%d, %d) changed and is not computed", described(&some),
                             k % NX, k / NX);
        }
        const int cells = count(sim, seen);
        if (cells == 0 || cells > NX * NY / 2 || seen[NX - 1])
            fail_msg("%s: %d of %d cells are computed near a small wave", described(&some), cells,
                     NX * NY);
        free(seen);
        outcome_free(&before);
        outcome_free(&after);
    }
    sim_destroy(sim);
    scene_free(&s);
}

static void quiet_blocks_are_left_out_and_those_that_change_are_not(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_left_out);
}

/* Is block (x, y) within `reach` cells, in x and in y, of one with a cell that changed? */
static int near_a_change(const struct outcome *before, const struct outcome *after,
                         struct shape block, int x, int y, int reach)
{
    for (int k = 0; k < NX * NY; k++) {
        const int x0 = k % NX / block.w * block.w, y0 = k / NX / block.h * block.h;
        int changed = 0;
        for (int f = 0; f < 3; f++)
            changed |= !(before->state.field[f][k] - after->state.field[f][k] == 0);
        if (changed && x0 <= (x + 1) * block.w - 1 + reach && x * block.w - reach < x0 + block.w &&
            y0 <= (y + 1) * block.h - 1 + reach && y * block.h - reach < y0 + block.h)
            return 1;
    }
    return 0;
}

/* A map that is `age` steps old. */
static void check_neighbours(const struct config *c, struct shape block, int age)
{
    struct scene s = scene(CORNER, NX, NY, WALL, WALL, 0);
    struct config some = cut(c, block.w, block.h);
    struct sim *sim = create(&some, &s);
    steps(&some, sim, 4);
    struct outcome before = outcome_of(&some, sim, &s);
    steps(&some, sim, 1);
    struct outcome after = outcome_of(&some, sim, &s);
    sim->now.map_age = (unsigned long)age;
    char *seen = computed(&some, sim);
    for (int k = 0; k < NX * NY; k++) {
        const int x = k % NX / block.w, y = k / NX / block.h;
        if (!seen[k] && (age > 1 || near_a_change(&before, &after, block, x, y, REACH * (1 + age))))
            fail_msg("%s: block (%d, %d) is left out and near one where water moved; map %d steps "
                     "old",
                     described(&some), x, y, age);
    }
    if (age <= 1 && seen[NX - 1])
        fail_msg("%s: nothing is left out, map %d steps old", described(&some), age);
    free(seen);
    outcome_free(&before);
    outcome_free(&after);
    sim_destroy(sim);
    scene_free(&s);
}

static void check_all_neighbours(const struct config *c)
{
    for (int k = 0; k < FEW_SHAPES; k++)
        for (int age = 0; age <= 2; age++)
            check_neighbours(c, shapes[k], age);
}

static void blocks_near_enough_to_be_felt_are_computed(void **state)
{
    (void)state;
    for_every_scheme_that_has_it(check_all_neighbours);
}

static void check_edge_blocks(const struct config *c)
{
    for (int e = 0; e < EDGES; e++)
        for (int kind = OPEN; kind <= PERIODIC; kind++) {
            struct scene s = scene_create(NX, NY);
            scene_random_bed(&s, 0, 1, 3);
            scene_level(&s, -1);
            s.boundary[e] = (enum boundary)kind;
            if (kind == PERIODIC)
                s.boundary[e ^ 1] = PERIODIC;
            close_bed(&s);
            struct config some = cut(c, 3, 2);
            some.dt = 0.1;
            struct sim *sim = create(&some, &s);
            steps(&some, sim, 2);
            char *seen = computed(&some, sim);
            for (int k = 0; k < NX * NY; k++) {
                const int i = k % NX, j = k / NX;
                const int distance[EDGES] = {i, NX - 1 - i, j, NY - 1 - j};
                int near = 0, far = 1;
                for (int b = 0; b < EDGES; b++) {
                    near |= s.boundary[b] != WALL && distance[b] < REACH;
                    far &= s.boundary[b] == WALL || distance[b] >= REACH + 3;
                }
                if ((near && !seen[k]) || (far && seen[k]))
                    fail_msg("%s: dry cell (%d, %d), %d cells from an edge of kind %d: %s",
                             described(&some), i, j, distance[e], kind,
                             seen[k] ? "computed" : "left out");
            }
            free(seen);
            sim_destroy(sim);
            scene_free(&s);
        }
}

static void blocks_beside_open_and_periodic_edges_are_never_left_out(void **state)
{
    (void)state;
    for (int k = 0; schemes[k]; k++) {
        struct config c;
        configure(&c, schemes[k]->name, F32);
        c.early_exit = EARLY_EXIT_ON;
        if (schemes[k]->on_demand)
            check_edge_blocks(&c);
    }
}

/* A backend whose clock says what a test wants: this many times longer with early exit. */
static double ratio;

static enum err scripted_between(struct device *dev, int from, int to, double *seconds)
{
    (void)dev, (void)to;
    *seconds = from == 0 ? ratio : 1;
    return ERR_OK;
}

static struct backend scripted(const struct sim *sim)
{
    struct backend b = *sim->backend;
    b.between = scripted_between;
    return b;
}

/* What log_info said while `f` ran. */
static void logged(void (*f)(void *context), void *context, char *text, size_t n)
{
    char path[PATH_LENGTH];
    scratch_path(path, "log");
    fflush(stderr);
    const int kept = dup(STDERR_FILENO), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    log_quiet(0);
    f(context);
    log_quiet(1);
    fflush(stderr);
    const ssize_t length = pread(file, text, n - 1, 0);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    assert_true(length >= 0);
    text[length] = '\0';
}

enum { AUTO_STEPS = FIRST_CYCLE + 2 * CYCLE + 10 };

struct watched {
    const struct config *c;
    struct sim *sim;
    double first, second; /* ratios in the two cycles */
    char used[AUTO_STEPS];
};

static void watch(void *context)
{
    struct watched *w = context;
    for (int n = 0; n < AUTO_STEPS; n++) {
        ratio = n < FIRST_CYCLE + CYCLE ? w->first : w->second;
        const unsigned long before = w->sim->now.early_exits;
        steps(w->c, w->sim, 1);
        w->used[n] = (char)(w->sim->now.early_exits - before);
    }
}

/* Refresh with early exit, then one step with and one without, then 97 of what was faster. */
static void expect_cycle(const struct watched *w)
{
    for (int n = 0; n < AUTO_STEPS; n++) {
        const int phase = n < FIRST_CYCLE ? -1 : (n - FIRST_CYCLE) % CYCLE;
        const double r = n < FIRST_CYCLE + CYCLE ? w->first : w->second;
        const double in_force = n < FIRST_CYCLE + 2 * CYCLE ? r : w->second;
        const int want = phase < 0 ? 0 : phase < 2 ? 1 : phase < TIMED ? 0 : in_force < 1;
        if (w->used[n] != want)
            fail_msg("%s: step %d, %d of its cycle, is made %s early exit, which takes %g times "
                     "the time",
                     described(w->c), n, phase, w->used[n] ? "with" : "without", r);
    }
}

static void expect_logged(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in the log '%s'", part, text);
}

/* Waves move all the time; small blocks show a map that is not the newest. */
static void check_auto(const struct config *c, double first, double second, const char *log)
{
    static char text[4096];
    struct scene s = scene(CORNER, LARGE, LARGE, WALL, WALL, 0);
    struct config some = cut(c, 4, 3);
    some.early_exit = EARLY_EXIT_AUTO;
    some.threads = 2;
    struct watched w = {.c = &some, .sim = create(&some, &s), .first = first, .second = second};
    const struct backend b = scripted(w.sim), *kept = w.sim->backend;
    w.sim->backend = &b;
    logged(watch, &w, text, sizeof text);
    w.sim->backend = kept;
    expect_cycle(&w);
    expect_logged(text, log);
    struct outcome want = full(&some, &s, AUTO_STEPS), have = outcome_of(&some, w.sim, &s);
    want.clock.step_limit = have.clock.step_limit;
    want.clock.halt = have.clock.halt;
    expect_equal(&some, "auto", &want, &have);
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(w.sim);
    scene_free(&s);
}

static void auto_times_both_in_every_cycle_and_takes_the_faster(void **state)
{
    (void)state;
    for (int k = 0; schemes[k]; k++) {
        struct config c;
        configure(&c, schemes[k]->name, F32);
        if (!schemes[k]->on_demand)
            continue;
        check_auto(&c, 0.5, 2, "early exit on from step");
        check_auto(&c, 2, 0.5, "early exit off from step");
    }
}

static void auto_does_not_try_on_small_domains_or_in_short_runs(void **state)
{
    (void)state;
    struct config c;
    configure(&c, NULL, F32);
    c.early_exit = EARLY_EXIT_AUTO;
    c.threads = 2;
    struct scene small = scene(CORNER, NX, NY, WALL, WALL, 0);
    struct scene large = scene(CORNER, LARGE, LARGE, WALL, WALL, 0);
    struct outcome a = simulated_steps(&c, &small, FIRST_CYCLE + 10);
    struct outcome b = simulated_steps(&c, &large, FIRST_CYCLE);
    struct outcome d = simulated_steps(&c, &large, FIRST_CYCLE + 2);
    assert_int_equal(a.clock.early_exits, 0);
    assert_int_equal(b.clock.early_exits, 0);
    assert_int_equal(d.clock.early_exits, 2);
    outcome_free(&a);
    outcome_free(&b);
    outcome_free(&d);
    scene_free(&small);
    scene_free(&large);
}

/* The kernels share a map of blocks. */
static void different_blocks_are_wrong_with_on_and_rule_it_out_with_auto(void **state)
{
    (void)state;
    for (int k = 0; schemes[k]; k++) {
        struct config c;
        struct sim *sim = NULL;
        if (!schemes[k]->on_demand)
            continue;
        configure(&c, schemes[k]->name, F32);
        c.early_exit = EARLY_EXIT_ON;
        const char *last = schemes[k]->kernels[schemes[k]->on_demand];
        for (const char *const *name = schemes[k]->kernels + schemes[k]->on_demand; *name; name++)
            last = find_kernel(*name)->tuned ? *name : last;
        c = cut(&c, 16, 12);
        configure_block(&c, last, 16, 11);
        struct scene s = scene(ROUGH, LARGE, LARGE, WALL, WALL, 0);
        assert_int_equal(simulation_create(&sim, &c, &s), ERR_USAGE);
        if (!strstr(err_message(), last) || !strstr(err_message(), "16x11") ||
            !strstr(err_message(), "--early-exit off"))
            fail_msg("%s", err_message());
        c.early_exit = EARLY_EXIT_AUTO;
        c.threads = 2;
        struct outcome o = simulated_steps(&c, &s, FIRST_CYCLE + 5);
        assert_int_equal(o.clock.early_exits, 0);
        outcome_free(&o);
        scene_free(&s);
    }
}

static int make_folder(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_any_shape_give_the_bits_of_the_full_computation),
        cmocka_unit_test(edges_of_any_kind_and_friction_give_the_bits_of_the_full_computation),
        cmocka_unit_test(water_that_only_friction_changes_is_not_at_rest),
        cmocka_unit_test(the_order_of_threads_does_not_matter),
        cmocka_unit_test(the_gpu_gives_the_bits_of_the_cpus_full_computation),
        cmocka_unit_test(a_run_with_pauses_gives_the_bits_of_the_full_computation),
        cmocka_unit_test(nothing_of_dry_land_or_a_lake_at_rest_is_computed),
        cmocka_unit_test(quiet_blocks_are_left_out_and_those_that_change_are_not),
        cmocka_unit_test(blocks_near_enough_to_be_felt_are_computed),
        cmocka_unit_test(blocks_beside_open_and_periodic_edges_are_never_left_out),
        cmocka_unit_test_setup_teardown(auto_times_both_in_every_cycle_and_takes_the_faster,
                                        make_folder, scratch_remove),
        cmocka_unit_test(auto_does_not_try_on_small_domains_or_in_short_runs),
        cmocka_unit_test(different_blocks_are_wrong_with_on_and_rule_it_out_with_auto),
    };
    return cmocka_run_group_tests_name("early exit", tests, NULL, NULL);
}
