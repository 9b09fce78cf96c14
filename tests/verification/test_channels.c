/* Exact flows in channels, compared with tables that were computed independently, and with the laws they obey. */
#include "tests/support/test.h"

#include <math.h>

#include "core/base/paths.h"
#include "core/registry/registry.h"
#include "verification/references/bump.h"
#include "verification/references/dam_break.h"
#include "verification/references/macdonald.h"

static double squared(double x)
{
    return x * x;
}

/* The quantity that is equal on both sides of a jump, q^2 / h + g h^2 / 2. */
static double thrust(double g, double q, double h)
{
    return squared(q) / h + g * squared(h) / 2;
}

static void expect_near(const char *what, double x, double got, double want, double most)
{
    if (!(fabs(got - want) <= most))
        fail_msg("%s at %.17g: %.17g, not %.17g; off by %.2g, allowed is %.2g", what, x, got, want,
                 fabs(got - want), most);
}

/* Both sides round in the 16th digit; near the crest the tables' authors solved a cubic with a double root, and beds
 * of 6 m are sums of hundreds of terms. */
static const double table_tolerance = 1e-12;

static void compare_row(const struct flow_case *c, const double row[4])
{
    struct flow f = c->exact(row[0], 0, c->t_end);
    double bed = c->bed(row[0], 0);
    char what[128];
    snprintf(what, sizeof what, "case %s: bed", c->name);
    expect_near(what, row[0], bed, row[3], table_tolerance);
    snprintf(what, sizeof what, "case %s: depth", c->name);
    expect_near(what, row[0], fmax(f.w - bed, 0), row[1], table_tolerance);
    snprintf(what, sizeof what, "case %s: velocity", c->name);
    expect_near(what, row[0], f.u, row[2], table_tolerance);
}

/* Rows compared. */
static int compare_table(const struct flow_case *c)
{
    char name[128], path[PATH_LENGTH], line[512];
    snprintf(name, sizeof name, "verification/references/tables/%s.tsv", c->name);
    assert_int_equal(paths_file(name, path), ERR_OK);
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s cannot be read", path);
    int rows = 0;
    while (fgets(line, sizeof line, f)) {
        double row[4];
        if (line[0] == '#')
            continue;
        char *end = line;
        for (int k = 0; k < 4; k++) {
            char *number = end;
            row[k] = strtod(number, &end);
            if (end == number)
                fail_msg("%s: not four numbers: %s", path, line);
        }
        compare_row(c, row);
        rows++;
    }
    fclose(f);
    return rows;
}

static void cases_agree_with_independent_tables(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int rows; /* at least */
    } tables[] = {
        {"bump-lake", 30},
        {"bump-shore", 30},
        {"bump-subcritical", 30},
        {"bump-transcritical", 30},
        {"bump-shock", 30},
        {"stoker", 30},
        {"ritter", 30},
        {"macdonald-sub", 30},
        {"macdonald-jump-long", 30},
        {"macdonald-super", 2},
        {"macdonald-transcritical", 2},
        {"macdonald-jump", 2},
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        const struct flow_case *c = find_case(tables[k].name);
        int rows = c ? compare_table(c) : 0;
        if (rows < tables[k].rows)
            fail_msg("the table of %s has only %d rows", tables[k].name, rows);
    }
}

/* Constants of an independent program, to their last digits. */
static void the_jump_lies_where_others_find_it(void **state)
{
    (void)state;
    struct bump_jump j = bump_jump(0.18, 0.33);
    expect_near("jump", 0, j.x, 11.665618384315362, 1e-14);
    expect_near("depth before", j.x, j.before, 0.07597027371341478, 1e-15);
    expect_near("depth behind", j.x, j.after, 0.25932179766081886, 2e-15);
}

static void two_dams_break_into_the_states_that_others_find(void **state)
{
    (void)state;
    static const struct {
        double left, right, h, u, shock;
    } known[] = {
        {0.005, 0.001, 0.002539357172283335, 0.1272797183931022, 0.20996340005244554},
        {10, 1, 3.961748167994429, 7.340769044034992, 9.819294775345178},
    };
    for (int k = 0; k < 2; k++) {
        struct dam_break d = dam_break(9.81, known[k].left, known[k].right);
        expect_near("depth", k, d.h, known[k].h, 1e-15 * known[k].h);
        expect_near("velocity", k, d.u, known[k].u, 4e-15 * known[k].u);
        expect_near("shock", k, d.shock, known[k].shock, 4e-15 * known[k].shock);
    }
}

static const struct channel {
    const char *name;
    const struct macdonald *m;
} channels[] = {
    {"macdonald-sub", &macdonald_sub},
    {"macdonald-super", &macdonald_super},
    {"macdonald-transcritical", &macdonald_transcritical},
    {"macdonald-jump", &macdonald_jump},
    {"macdonald-jump-long", &macdonald_jump_long},
};
enum { CHANNELS = sizeof channels / sizeof *channels };

/* d/dx of a function of the channel at x, of fourth order in d. */
static double slope(double (*of)(const struct macdonald *, double), const struct macdonald *m,
                    double x, double d)
{
    return (8 * (of(m, x + d) - of(m, x - d)) - (of(m, x + 2 * d) - of(m, x - 2 * d))) / (12 * d);
}

static double thrust_in(const struct macdonald *m, double x)
{
    return thrust(macdonald_gravity, m->q, macdonald_depth(m, x));
}

static void channels_with_friction_balance_their_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < CHANNELS; k++) {
        const struct macdonald *m = channels[k].m;
        const double d = m->length / 5000, n2 = squared(m->manning), g = macdonald_gravity;
        for (int n = 1; n < 500; n++) {
            double x = m->length * (n + 0.137) / 501, h = macdonald_depth(m, x);
            if (fabs(x - m->seam) <= 2 * d)
                continue;
            double friction = g * n2 * squared(m->q) / pow(h, 7.0 / 3);
            double residual =
                slope(thrust_in, m, x, d) + g * h * slope(macdonald_bed, m, x, d) + friction;
            /* Behind the long jump the flow settles within 16 m, so the differences are wrong by (d / 16 m)^4 / 30 =
             * 1e-9 of terms that are up to a thousand times the friction. */
            expect_near(channels[k].name, x, residual / friction, 0, 3e-6);
        }
    }
}

static void beds_of_channels_are_continuous_and_jumps_keep_the_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < CHANNELS; k++) {
        const struct macdonald *m = channels[k].m;
        double x = m->seam, d = 1e-9 * m->length;
        expect_near("end of the bed", m->length, macdonald_bed(m, m->length), 0, 0);
        if (x >= m->length)
            continue;
        expect_near("bed", x, macdonald_bed(m, x - d), macdonald_bed(m, x + d), d);
        double before = thrust(macdonald_gravity, m->q, m->depth[0](x));
        double after = thrust(macdonald_gravity, m->q, m->depth[1](x));
        /* SWASHES gives the depths behind a jump to five or six digits. */
        expect_near(channels[k].name, x, after, before, 2e-5 * before);
    }
}

static int is_steady_channel(const struct flow_case *c)
{
    return c->tends && c->ny == 1;
}

/* Otherwise the flow could not reach it. */
static void edges_impose_the_exact_flow(void **state)
{
    (void)state;
    int checked = 0;
    for (int n = 0; cases[n]; n++) {
        const struct flow_case *c = cases[n];
        for (int e = WEST; is_steady_channel(c) && e <= EAST; e++) {
            double x = c->x0 + (e == EAST ? c->lx : 0);
            struct flow f = c->exact(x, c->y0, 0);
            double h = f.w - c->bed(x, c->y0);
            /* A level outside is not felt where the flow leaves faster than its waves. */
            int felt = e == WEST || f.u < sqrt(c->gravity * h);
            if (c->boundary[e] == DISCHARGE || c->boundary[e] == STATE)
                expect_near(c->name, x, h * f.u, c->edge[e].hu, 1e-14);
            if (c->boundary[e] == STATE || (c->boundary[e] == DEPTH && felt))
                expect_near(c->name, x, h, c->edge[e].h, 1e-14);
            checked++;
        }
    }
    assert_true(checked >= 2 * (3 + CHANNELS)); /* three bumps */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_agree_with_independent_tables),
        cmocka_unit_test(the_jump_lies_where_others_find_it),
        cmocka_unit_test(two_dams_break_into_the_states_that_others_find),
        cmocka_unit_test(channels_with_friction_balance_their_momentum),
        cmocka_unit_test(beds_of_channels_are_continuous_and_jumps_keep_the_momentum),
        cmocka_unit_test(edges_impose_the_exact_flow),
    };
    return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
