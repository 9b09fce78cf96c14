/* A flood over terrain as a user runs it: how high the ground lies, and in which precision a run computes,
 * changes neither its steps nor what leaves, and no water is lost. */
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

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

/* A valley 400 m long that falls by 30 m between slopes of 1 in 12, with bumps. */
enum { COLUMNS = 40, ROWS = 24, MIDDLE = ROWS / 2, CELL = 10 };

static const double heights[] = {0, 1100, 4000};
enum { HEIGHTS = sizeof heights / sizeof *heights };

static double bed(int i, int j)
{
    const double x = CELL * i, y = CELL * (j - MIDDLE);
    return 74 * (1 - x / 1000) + 0.08 * fabs(y) + 0.5 * sin(x / 35) * cos(y / 25);
}

static const char *named(double up)
{
    static char name[32];
    snprintf(name, sizeof name, "up%g.asc", up);
    return name;
}

static void write_terrain(double up)
{
    static char text[COLUMNS * ROWS * 16 + 128];
    int n =
        snprintf(text, sizeof text, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %d\n",
                 COLUMNS, ROWS, CELL);
    for (int j = ROWS - 1; j >= 0; j--)
        for (int i = 0; i < COLUMNS; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%.4f%c", up + bed(i, j),
                          i == COLUMNS - 1 ? '\n' : ' ');
    scratch_write(named(up), "w", text);
}

/* How a flood ended. */
struct flood {
    unsigned long steps;
    double out, came, mass_error; /* m3; the last as a share of all water */
};

static struct flood flooded(const char *scheme, const char *reconstruction, const char *precision,
                            const char *mode, double up)
{
    static struct config c;
    struct problem p = {0};
    struct sim *sim = NULL;
    struct balance b;
    const char *const words[] = {named(up),
                                 "--scheme",
                                 scheme,
                                 "--reconstruction",
                                 reconstruction,
                                 "--precision",
                                 precision,
                                 "--mode",
                                 mode,
                                 "--manning=0.035",
                                 "--bc-west=inflow:q.txt@80..160",
                                 "--bc-east=open",
                                 "--t-end=300",
                                 "--backend=cpu",
                                 "--threads=1",
                                 NULL};
    ASSERT_READ(read_words(&c, words));
    ASSERT_READ(problem_open(&p, &c));
    ASSERT_READ(sim_create(&sim, &p.setup));
    if (sim_run(sim, (double)INFINITY, NULL) || sim_balance(sim, &b))
        fail_msg("%s %s %s %s at %g m: %s", scheme, reconstruction, precision, mode, up,
                 err_message());
    const struct flood f = {sim->now.steps, sim_went_out(&b), sim_came_in(&b),
                            sim_mass_error(sim, &b)};
    sim_destroy(sim);
    problem_close(&p);
    return f;
}

static void check_heights(const char *scheme, const char *reconstruction, const char *mode)
{
    static const char *const precisions[] = {"f64", "f32"};
    struct flood low = {0};
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < HEIGHTS; k++) {
            const struct flood f = flooded(scheme, reconstruction, precisions[p], mode, heights[k]);
            char text[256];
            if (p == 0 && k == 0)
                low = f;
            snprintf(text, sizeof text,
                     "%s %s %s %s at %g m: %lu steps, %.9g m3 of %.9g left, %.3g", scheme,
                     reconstruction, precisions[p], mode, heights[k], f.steps, f.out, f.came,
                     f.mass_error);
            if (!(f.came > 4500 && f.out > 0.1 * f.came && f.steps > 300))
                fail_msg("%s: no flood", text);
            if (!(fabs((double)f.steps - (double)low.steps) <= 0.01 * (double)low.steps))
                fail_msg("%s: in f64 at 0 m it took %lu steps", text, low.steps);
            if (!(fabs(f.out - low.out) <= 1e-3 * low.out))
                fail_msg("%s: in f64 at 0 m %.9g m3 left", text, low.out);
            if (!(fabs(f.mass_error) <= (p ? 5e-6 : 1e-9)))
                fail_msg("%s: the volume is off", text);
        }
}

static void a_flood_is_the_same_at_any_height_in_every_scheme(void **state)
{
    (void)state;
    for (int k = 0; schemes[k]; k++)
        check_heights(schemes[k]->name, "audusse", "strict");
    check_heights("rk2", "kp", "strict");
}

/* Associative arithmetic could undo what keeps small changes. */
static void fast_mode_keeps_water_as_well(void **state)
{
    (void)state;
    check_heights("rk2", "audusse", "fast");
    check_heights("rk2_fused", "audusse", "fast");
    check_heights("ssprk3", "audusse", "fast");
}

static int set_up(void **state)
{
    (void)state;
    log_quiet(2);
    scratch_create();
    for (int k = 0; k < HEIGHTS; k++)
        write_terrain(heights[k]);
    scratch_write("q.txt", "w", "0 0.001\n100 30\n250 30\n300 5\n");
    return chdir(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_is_the_same_at_any_height_in_every_scheme),
        cmocka_unit_test(fast_mode_keeps_water_as_well),
    };
    return cmocka_run_group_tests_name("high ground", tests, set_up, scratch_remove);
}
