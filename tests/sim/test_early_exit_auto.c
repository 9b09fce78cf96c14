/* --early-exit auto: when both variants are timed, which one makes the steps, and what rules early exit out. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/sim/active_tiles.h"
#include "tests/support/of_each_kind.h"
#include "tests/support/quiet.h"
#include "tests/support/scratch.h"

/* As in schemes/early_exit.c. */
enum { CYCLE = 100, FIRST_CYCLE = 20, TIMED = 3 };
enum { LARGE = 256 }; /* cells along a side from which auto tries both */

/* A backend whose clock a test controls: steps with early exit take this many times as long. */
static double ratio;

static enum err scripted_between(struct device *dev, int from, int to, double *seconds)
{
    (void)dev, (void)to;
    *seconds = from == 0 ? ratio : 1;
    return ERR_OK;
}

/* How many launches were of kernels that keep no map of tiles. */
static const struct sim *launching;
static int unmapped;

static enum err counted_launch(struct device *dev, struct loaded *k, int bx, int by,
                               const void *args, size_t bytes)
{
    for (int n = 0; n < SCHEME_KERNELS; n++)
        unmapped += k && launching->kernels[n].unmapped == k;
    return backend_cpu.launch(dev, k, bx, by, args, bytes);
}

static struct backend scripted(const struct sim *sim)
{
    struct backend b = *sim->backend;
    assert_ptr_equal(sim->backend, &backend_cpu);
    launching = sim;
    b.between = scripted_between;
    b.launch = counted_launch;
    return b;
}

/* What log_info printed while `f` ran. */
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
    char used[AUTO_STEPS], mapped[AUTO_STEPS];
};

/* Whether the last step left tiles out: those that no wave has come to. */
static int left_out(struct sim *sim)
{
    int n;
    fine(active_tiles_count(sim, &n));
    return n < sim->tiles.columns * sim->tiles.rows;
}

static void watch(void *context)
{
    struct watched *w = context;
    for (int n = 0; n < AUTO_STEPS; n++) {
        ratio = n < FIRST_CYCLE + CYCLE ? w->first : w->second;
        const unsigned long before = w->sim->now.early_exits;
        unmapped = 0;
        steps(w->c, w->sim, 1);
        w->mapped[n] = unmapped == 0;
        w->used[n] = (char)(w->sim->tiles.columns ? left_out(w->sim)
                                                  : (int)(w->sim->now.early_exits - before));
    }
}

/* The cycle renews the map with early exit, makes one step with it and one without, then 97 by the faster variant. In tiles
 * steps without early exit keep no map while they are faster: the first step with it computes all tiles. */
static void expect_cycle(const struct watched *w)
{
    int stale = w->sim->tiles.columns > 0, on = 0;
    for (int n = 0; n < AUTO_STEPS; n++) {
        const int phase = n < FIRST_CYCLE ? -1 : (n - FIRST_CYCLE) % CYCLE;
        const double r = n < FIRST_CYCLE + CYCLE ? w->first : w->second;
        const int with = phase < 0 ? 0 : phase < 2 ? 1 : phase < TIMED ? 0 : r < 1;
        const int want = with && !stale;
        on = phase == TIMED ? r < 1 : on;
        stale = w->sim->tiles.columns > 0 && !with && !on;
        if (w->mapped[n] == stale)
            fail_msg("%s: step %d, %d of its cycle, %s", described(w->c), n, phase,
                     stale ? "keeps a map" : "keeps no map");
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

/* With early exit where it takes so many times as long in the first and the second cycle; `computed` is the state
 * without it. Waves move all the time; small blocks show whether the map is the newest. */
static void check_auto(const struct config *c, const struct outcome *computed, double first,
                       double second, const char *log)
{
    static char text[4096];
    struct scene s = scene(CORNER, LARGE, LARGE, WALL, WALL, 0);
    struct config some = *c;
    some.early_exit = EARLY_EXIT_AUTO;
    struct watched w = {.c = &some, .sim = create(&some, &s), .first = first, .second = second};
    const struct backend b = scripted(w.sim), *kept = w.sim->backend;
    w.sim->backend = &b;
    logged(watch, &w, text, sizeof text);
    w.sim->backend = kept;
    expect_cycle(&w);
    expect_logged(text, log);
    struct outcome want = *computed, have = outcome_of(&some, w.sim, &s);
    want.clock.step_limit = have.clock.step_limit;
    want.clock.halt = have.clock.halt;
    expect_equal(&some, "auto", &want, &have);
    outcome_free(&have);
    sim_destroy(w.sim);
    scene_free(&s);
}

/* In one scheme of each kind: what is timed, and when, does not depend on the scheme. */
static void auto_times_both_in_every_cycle_and_takes_the_faster(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        configure(&c, schemes[k]->name, F32);
        if (!schemes[k]->on_demand || !answers_for_its_kind(schemes[k]->name))
            continue;
        struct scene s = scene(CORNER, LARGE, LARGE, WALL, WALL, 0);
        const struct config small = cut(&c, 4, 3);
        struct outcome computed = full(&small, &s, AUTO_STEPS);
        check_auto(&small, &computed, 0.5, 2, "early exit on from step");
        check_auto(&small, &computed, 2, 0.5, "early exit off from step");
        outcome_free(&computed);
        scene_free(&s);
    }
}

/* Compared with early exit in all steps, which computes little of this (test_active_tiles compares that with a full
 * computation). */
static void auto_times_tiles_too(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        int none; /* passes that make no step: the first */
        double first, second;
        const char *log;
    } of[] = {{"rk2_fused", 1, 0.5, 2, "early exit on from step"},
              {"rk2", 0, 2, 0.5, "early exit off from step"}};
    for (int k = 0; k < 2; k++) {
        struct config c;
        struct scene s = scene(CORNER, LARGE, LARGE, WALL, WALL, 0);
        configure(&c, of[k].scheme, F32);
        c.tile = (struct tile_size){28, 30};
        c.early_exit = EARLY_EXIT_ON;
        struct outcome computed = simulated_steps(&c, &s, AUTO_STEPS - of[k].none);
        check_auto(&c, &computed, of[k].first, of[k].second, of[k].log);
        outcome_free(&computed);
        scene_free(&s);
    }
}

/* Graphs hold launches that do not differ from step to step. */
static void what_is_timed_in_tiles_is_not_recorded(void **state)
{
    (void)state;
    static const int sides[] = {LARGE, NX};
    for (int k = 0; k < 2; k++)
        for (int choice = 0; choice < 3; choice++) {
            struct config c;
            struct scene s = scene(CORNER, sides[k], LARGE, WALL, WALL, 0);
            configure(&c, "rk2_fused", F32);
            c.tile = (struct tile_size){28, 30};
            c.early_exit = choice;
            struct sim *sim = create(&c, &s);
            const int timed = choice == EARLY_EXIT_AUTO && sides[k] == LARGE;
            assert_int_equal(active_tiles_timed(sim), timed);
            assert_int_equal(sim->mapped, timed || choice == EARLY_EXIT_ON);
            sim_destroy(sim);
            scene_free(&s);
        }
}

static void auto_does_not_try_on_small_domains_or_in_short_runs(void **state)
{
    (void)state;
    struct config c;
    configure(&c, NULL, F32);
    c.early_exit = EARLY_EXIT_AUTO;
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
    FOR_SCHEMES_OF_WATER (k) {
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
        struct outcome o = simulated_steps(&c, &s, FIRST_CYCLE + 5);
        assert_int_equal(o.clock.early_exits, 0);
        outcome_free(&o);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(auto_times_both_in_every_cycle_and_takes_the_faster,
                                        scratch_setup, scratch_remove),
        cmocka_unit_test_setup_teardown(auto_times_tiles_too, scratch_setup, scratch_remove),
        cmocka_unit_test(what_is_timed_in_tiles_is_not_recorded),
        cmocka_unit_test(auto_does_not_try_on_small_domains_or_in_short_runs),
        cmocka_unit_test(different_blocks_are_wrong_with_on_and_rule_it_out_with_auto),
    };
    return cmocka_run_group_tests_name("early exit, auto", tests, NULL, NULL);
}
