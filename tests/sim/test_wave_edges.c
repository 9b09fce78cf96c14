/* Edges that generate a wave and let others out: its height, what remains of it, still water, dry edges and fast
 * flow. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/edge_run.h"

static const double GROUND = -1, HEIGHT = 0.1, GRAVITY = 9.81;

static double flat(double x, double y)
{
    (void)x, (void)y;
    return GROUND;
}

/* A beach: dry from x = 35 on, and along the western edge where y > 2. */
static double beach(double x, double y)
{
    const double shelf = y > 2 ? 2 : 0;
    return fmax(GROUND + 0.04 * fmax(0, x - 10), GROUND + shelf * fmax(0, 1 - 0.2 * x));
}

static double mountain(double x, double y)
{
    (void)x, (void)y;
    return 1800 + GROUND;
}

static struct flow sea(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){0, 0, 0};
}

static struct flow lake(double x, double y)
{
    (void)x, (void)y;
    return (struct flow){1800, 0, 0};
}

static struct flow slope(double x, double y)
{
    (void)x;
    return (struct flow){0.01 * y, 0, 0};
}

static const struct flow_case channel = {.name = "channel",
                                         .nx = 60,
                                         .ny = 1,
                                         .lx = 30,
                                         .ly = 0.5,
                                         .t_end = 33,
                                         .gravity = 9.81,
                                         .kappa = 0.001,
                                         .bed = flat,
                                         .initial = sea};

static const struct flow_case coast = {.name = "coast",
                                       .nx = 40,
                                       .ny = 4,
                                       .lx = 40,
                                       .ly = 4,
                                       .t_end = 4.5,
                                       .gravity = 9.81,
                                       .kappa = 0.01,
                                       .bed = beach,
                                       .initial = sea};

/* A solitary wave whose crest enters at t = 8, over water 1 m deep. */
static void write_solitary(const char *name)
{
    char path[PATH_LENGTH];
    const double speed = sqrt(GRAVITY * (1 + HEIGHT)), k = sqrt(0.75 * HEIGHT);
    scratch_path(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int n = 0; n <= 2500; n++) {
        const double x = k * speed * (0.02 * n - 8);
        fprintf(f, "%.9g %.17g\n", 0.02 * n, HEIGHT / (cosh(x) * cosh(x)));
    }
    assert_int_equal(fclose(f), 0);
}

static void run_until(struct run *r, double t)
{
    if (sim_run(r->sim, t, NULL))
        fail_msg("%s: %s", r->config.scheme, err_message());
}

/* Volume per width, over the mean ground. */
static double energy(struct run *r, double *highest)
{
    double sum = 0, *w = field_of(r, 0), *hu = field_of(r, 1);
    *highest = w[0];
    for (int k = 0; k < channel.nx; k++)
        sum += 0.5 * (hu[k] * hu[k] / (w[k] - GROUND) + GRAVITY * w[k] * w[k]);
    free(w);
    free(hu);
    return sum;
}

static void a_solitary_wave_comes_in_and_its_reflection_leaves_where_it_came_in(void **state)
{
    (void)state;
    write_solitary("solitary.txt");
    struct run *r = START(&channel, "rk2", "--precision=f64", "--bc-west=wave:solitary.txt");
    double most = 0, fed = 0, highest;
    for (int k = 0; k <= 32; k++) {
        run_until(r, 7 + 0.0625 * k);
        most = fmax(most, energy(r, &highest));
        fed = fmax(fed, highest);
    }
    if (!(fabs(fed - HEIGHT) <= 0.005 * HEIGHT)) /* manual/edges.md */
        fail_msg("%g m of %g were fed", fed, HEIGHT);
    run_until(r, 13); /* all of it is inside, and has not reached the wall */
    most = energy(r, &highest);
    go(r);
    const double left = energy(r, &highest);
    if (!(left <= 2e-6 * most) || !(most > 0.1))
        fail_msg("of an energy of %g there is %g left", most, left);
    finish(r);
}

static void expect_still(const struct flow_case *f, const char *options[])
{
    struct run *r = start(f, "rk2", options);
    double *before = field_of(r, 0);
    run_until(r, 2);
    double *w = field_of(r, 0), *hu = field_of(r, 1), *hv = field_of(r, 2);
    for (int k = 0; k < f->nx * f->ny; k++)
        if (w[k] < before[k] || w[k] > before[k] || hu[k] < 0 || hu[k] > 0 || hv[k] < 0 ||
            hv[k] > 0)
            fail_msg("%s %s: %g m, %g, %g m2/s in cell %d", f->name, options[0], w[k] - before[k],
                     hu[k], hv[k], k);
    free(before);
    free(w);
    free(hu);
    free(hv);
    finish(r);
}

static void still_water_stays_at_rest_to_the_bit(void **state)
{
    struct flow_case high = coast;
    (void)state;
    high.bed = mountain;
    high.initial = lake;
    expect_still(&coast, (const char *[]){"--precision=f64", "--reconstruction=audusse",
                                          "--bc-west=wave:0", "--bc-south=wave:0", NULL});
    expect_still(&high, (const char *[]){"--precision=f64", "--bc-west=wave:0", "--bc-south=wave:0",
                                         "--bc-east=wave:0", "--bc-north=wave:0", NULL});
}

/* Also in f32, where levels are a tenth of a millimetre apart. */
static void on_high_ground_the_same_wave_comes_in(void **state)
{
    struct flow_case high = channel;
    (void)state;
    write_solitary("solitary.txt");
    high.bed = mountain;
    high.initial = lake;
    struct run *low = START(&channel, "rk2", "--precision=f64", "--bc-west=wave:solitary.txt");
    struct run *up = START(&high, "rk2", "--precision=f32", "--bc-west=wave:solitary.txt");
    run_until(low, 9);
    run_until(up, 9);
    double *want = field_of(low, 1), *all = field_of(up, 1);
    for (int k = 0; k < 10; k++)
        if (!(fabs(value_at(up, all, k) - want[k]) <= 1e-4))
            fail_msg("cell %d has %g m2/s, not %g", k, value_at(up, all, k), want[k]);
    free(want);
    free(all);
    finish(low);
    finish(up);
}

static double volume_in(struct run *r)
{
    return balance_of(r).in;
}

/* Waves many times as high as the water is deep, troughs down to the ground, and ground above the water at the edge:
 * there nothing enters, and all that is asked is that the run does not break down. */
static void dry_and_supercritical_edges_are_defined(void **state)
{
    (void)state;
    scratch_write("bore.txt", "w", "0 0\n1 4\n2 4\n2.5 -3\n4 -3\n5 0\n20 0\n");
    static const char *const all[][2] = {{"rk2", "--cfl=0.25"}, {"ds1", "--cfl=0.1"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct run *r = START(&coast, all[k][0], "--precision=f64", all[k][1],
                              "--reconstruction=audusse", "--bc-west=wave:bore.txt");
        run_until(r, 2);
        /* Volume through the wet part of the edge: by itself it brings 2 (c - c0) (d + 4) m2/s, 18 m2/s per metre. */
        const double fast = 2 * (sqrt(GRAVITY * 5) - sqrt(GRAVITY)) * 5, in = volume_in(r);
        if (!(in > 0.9 * 2 * fast && in < 4 * fast))
            fail_msg("%s: %g m3 came in, of a wave that brings %g m2/s", all[k][0], in, fast);
        go(r);
        for (int m = 2; m < 4; m++) /* dry ground at the edge */
            if (!(crossed(r, WEST, m) <= 1e-12))
                fail_msg("%s: %g m2 came in over dry ground", all[k][0], crossed(r, WEST, m));
        finish(r);
    }
}

/* Once the flow has swept the still water away, friction inside cannot affect the edge, and each metre of it brings 2
 * (c - c0) (d + 30) m2/s. */
static void a_wave_faster_than_waves_move_asks_nothing_of_the_water_inside(void **state)
{
    const double rate = 2 * (sqrt(GRAVITY * 31) - sqrt(GRAVITY)) * 31 * channel.ly;
    (void)state;
    struct run *r = START(&channel, "rk2", "--precision=f64", "--manning=0.1", "--bc-west=wave:30");
    run_until(r, 0.5);
    const double before = volume_in(r), began = r->sim->now.t;
    run_until(r, 1);
    const double want = rate * (r->sim->now.t - began), in = volume_in(r) - before;
    if (!(fabs(in - want) <= 1e-9 * want) || !(want > 0))
        fail_msg("%.12g m3 came in, not %.12g", in, want);
    finish(r);
}

/* A case run with these options has the same bits as another run of it. */
static void expect_same_bits(const char *const *a, const char *const *b)
{
    struct run *x = start(&coast, "rk2", a), *y = start(&coast, "rk2", b);
    go(x);
    go(y);
    for (int k = 0; k < 3; k++) {
        double *p = field_of(x, k), *q = field_of(y, k);
        if (memcmp(p, q, (size_t)(coast.nx * coast.ny) * sizeof *p) != 0)
            fail_msg("%s changes field %d", b[0], k);
        free(p);
        free(q);
    }
    finish(x);
    finish(y);
}

#define SWELL "--bc-west=wave:swell.txt@0..2", "--bc-south=wave:swell.txt@1..9"

static void parts_tiles_and_sweeps_give_the_same_bits(void **state)
{
    static const char *const plain[] = {"--precision=f64", SWELL, NULL};
    static const char *const others[][6] = {
        {"--parts=3x2", "--precision=f64", SWELL, NULL},
        {"--tile=12x4", "--precision=f64", SWELL, NULL},
        {"--domain=sparse", "--tile=12x4", "--precision=f64", SWELL, NULL},
        {"--sweep=yx", "--precision=f64", SWELL, NULL},
    };
    (void)state;
    scratch_write("swell.txt", "w", "0 0\n1 0.2\n2 0\n3 -0.2\n4 0\n20 0\n");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        expect_same_bits(plain, others[k]);
}

static void expect_refused(double (*bed)(double, double), struct flow (*water)(double, double),
                           const char *option, const char *words)
{
    struct flow_case f = coast;
    struct config c;
    struct problem p;
    const char *all[] = {"lake", option, NULL};
    f.bed = bed;
    f.initial = water;
    ASSERT_READ(read_words(&c, all));
    assert_int_equal(problem_open_case(&p, &f, &c), ERR_USAGE);
    if (!strstr(err_message(), words))
        fail_msg("%s", err_message());
    problem_close(&p);
}

static void a_wave_needs_still_water(void **state)
{
    (void)state;
    expect_refused(beach, sea, "--bc-east=wave:0.1", "expected water along it");
    expect_refused(flat, slope, "--bc-west=wave:0.1", "expected still water");
    expect_refused(mountain, sea, "--bc-west=wave:0.1", "expected water along it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solitary_wave_comes_in_and_its_reflection_leaves_where_it_came_in),
        cmocka_unit_test(still_water_stays_at_rest_to_the_bit),
        cmocka_unit_test(on_high_ground_the_same_wave_comes_in),
        cmocka_unit_test(dry_and_supercritical_edges_are_defined),
        cmocka_unit_test(a_wave_faster_than_waves_move_asks_nothing_of_the_water_inside),
        cmocka_unit_test(parts_tiles_and_sweeps_give_the_same_bits),
        cmocka_unit_test(a_wave_needs_still_water),
    };
    return cmocka_run_group_tests_name("wave_edges", tests, edge_run_set_up, scratch_remove);
}
