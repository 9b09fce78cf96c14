/* The references that verification computes are right: compared with exact solutions, with each other, and with the
 * equations. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "verification/references/line.h"
#include "verification/references/spectral.h"

static const double pi = 3.14159265358979323846, g = 9.81;

static void near(const char *what, double found, double wanted, double most)
{
    if (!(fabs(found - wanted) <= most))
        fail_msg("%s: found %.10g, wanted %.10g to %.2g", what, found, wanted, most);
}

static void below(const char *what, double found, double most)
{
    if (!(found <= most))
        fail_msg("%s: found %.4g, at most %.4g is right", what, found, most);
}

static double *line_table(const struct line *l)
{
    double *table = calloc(LINE_DOUBLES(l->cells, l->times), sizeof *table);
    assert_non_null(table);
    assert_int_equal(line_compute(l, table), ERR_OK);
    return table;
}

static double cell_size(const struct line *l)
{
    return l->length / l->cells;
}

/* Integral of h over the line, or over the plane. */
static double volume(const struct line *l, const double *table, double t)
{
    double sum = 0, dx = cell_size(l);
    for (int i = 0; i < l->cells; i++) {
        double x = (i + 0.5) * dx;
        sum += line_at(l, table, x, t).h * (l->radial ? 2 * pi * x : 1) * dx;
    }
    return sum;
}

/* The largest fall of the depth between two cells beyond x. */
static double shock_beyond(const struct line *l, const double *table, double x, double t)
{
    double dx = cell_size(l), most = 0, place = 0;
    for (int i = (int)(x / dx); i < l->cells - 1; i++) {
        double fall =
            line_at(l, table, (i + 0.5) * dx, t).h - line_at(l, table, (i + 1.5) * dx, t).h;
        place = fall > most ? (i + 1) * dx : place;
        most = fmax(most, fall);
    }
    return place;
}

static double ritter_h(double x, double t, double h0)
{
    double c = sqrt(g * h0), s = x / t;
    return s <= -c ? h0 : s >= 2 * c ? 0 : (2 * c - s) * (2 * c - s) / (9 * g);
}

static void a_dam_break_on_dry_ground_is_ritters(void **state)
{
    (void)state;
    const struct line l = {
        .length = 40, .cells = 2000, .dam = 20, .behind = 1, .gravity = g, .t_end = 2, .times = 2};
    double *table = line_table(&l), dx = cell_size(&l);
    for (int k = 1; k <= 2; k++) {
        double off = 0, sum = 0, off_q = 0, sum_q = 0;
        for (int i = 0; i < l.cells; i++) {
            double x = (i + 0.5) * dx, h = ritter_h(x - 20, k, 1);
            struct line_state s = line_at(&l, table, x, k);
            double u = h > 0 && h < 1 ? 2.0 / 3 * ((x - 20) / k + sqrt(g)) : 0;
            off += fabs(s.h - h);
            sum += h;
            off_q += fabs(s.h * s.u - h * u);
            sum_q += h * u;
        }
        below("Ritter, depth", off / sum, 5e-4);
        below("Ritter, discharge", off_q / sum_q, 4e-3);
    }
    free(table);
}

/* The middle state of 1 m against 0.1 m, by bisection of Stoker's equation. */
static double stoker_middle(double left, double right, double *shock)
{
    double low = right, high = left;
    for (int k = 0; k < 100; k++) {
        double h = 0.5 * (low + high), fan = 2 * (sqrt(g * left) - sqrt(g * h));
        double jump = (h - right) * sqrt(0.5 * g * (h + right) / (h * right));
        low = fan > jump ? h : low;
        high = fan > jump ? high : h;
    }
    *shock = 2 * (sqrt(g * left) - sqrt(g * low)) * low / (low - right);
    return low;
}

static void a_dam_break_on_water_is_stokers(void **state)
{
    (void)state;
    const struct line l = {.length = 40,
                           .cells = 2000,
                           .dam = 20,
                           .behind = 1,
                           .before = 0.1,
                           .gravity = g,
                           .t_end = 3,
                           .times = 3};
    double *table = line_table(&l), speed, middle = stoker_middle(1, 0.1, &speed);
    for (int k = 1; k <= 3; k++) {
        near("Stoker, shock", shock_beyond(&l, table, 20, k), 20 + speed * k, 2 * cell_size(&l));
        near("Stoker, middle", line_at(&l, table, 20 + (speed - 0.4) * k, k).h, middle, 5e-5);
    }
    free(table);
}

static void water_keeps_its_volume(void **state)
{
    (void)state;
    const struct line trial[] = {
        {.radial = 1,
         .length = 12,
         .cells = 600,
         .dam = 2.5,
         .behind = 2.5,
         .before = 0.5,
         .gravity = g,
         .t_end = 2,
         .times = 2},
        {.radial = 1,
         .length = 24,
         .cells = 600,
         .dam = 2.5,
         .behind = 2.5,
         .gravity = g,
         .t_end = 2,
         .times = 2},
        {.length = 50,
         .cells = 600,
         .dam = 20,
         .behind = 1,
         .gravity = g,
         .manning = 0.03,
         .t_end = 4,
         .times = 2},
    };
    for (size_t k = 0; k < sizeof trial / sizeof *trial; k++) {
        const struct line *l = &trial[k];
        double *table = line_table(l);
        double first = volume(l, table, 0), last = volume(l, table, l->t_end);
        near("volume", last / first, 1, 1e-12);
        double disc = l->radial ? pi * l->dam * l->dam : l->dam;
        double whole = l->radial ? pi * l->length * l->length : l->length;
        near("first volume", first, disc * (l->behind - l->before) + whole * l->before, 1e-9);
        free(table);
    }
}

static void still_water_stays_still(void **state)
{
    (void)state;
    for (int radial = 0; radial < 2; radial++) {
        const struct line l = {.radial = radial,
                               .length = 10,
                               .cells = 200,
                               .dam = 5,
                               .behind = 1.7,
                               .before = 1.7,
                               .gravity = g,
                               .t_end = 5,
                               .times = 1};
        double *table = line_table(&l);
        for (int i = 0; i < l.cells; i++) {
            struct line_state s = line_at(&l, table, (i + 0.5) * cell_size(&l), 5);
            near("still depth", s.h, 1.7, 1e-13);
            near("still velocity", s.u, 0, 1e-12);
        }
        free(table);
    }
}

/* Shock radii and the depth in the middle of the circular dam break, from a grid of 16,000 cells. */
static void the_circular_dam_break_has_its_known_radii(void **state)
{
    (void)state;
    const struct line l = {.radial = 1,
                           .length = 12,
                           .cells = 1500,
                           .dam = 2.5,
                           .behind = 2.5,
                           .before = 0.5,
                           .gravity = g,
                           .t_end = 2,
                           .times = 8};
    double *table = line_table(&l);
    near("radius at 0.5 s", shock_beyond(&l, table, 2, 0.5), 4.690, 0.01);
    near("radius at 1 s", shock_beyond(&l, table, 2, 1), 6.681, 0.01);
    near("radius at 2 s", shock_beyond(&l, table, 2, 2), 10.320, 0.01);
    near("middle at 0.25 s", line_at(&l, table, 0, 0.25).h, 2.5, 1e-9);
    near("middle at 2 s", line_at(&l, table, 0, 2).h, 0.0883, 5e-4);
    struct flow east = line_flow(&l, table, 3, 0, 1), south = line_flow(&l, table, 0, -3, 1);
    assert_true(east.u > 0 && east.v == 0 && south.u == 0 && south.v == -east.u);
    free(table);
}

/* With more cells the solution changes less: at first order, because of the shock. */
static double distance(const struct line *coarse, const struct line *fine)
{
    double *a = line_table(coarse), *b = line_table(fine), off = 0, sum = 0;
    for (int i = 0; i < coarse->cells; i++) {
        double x = (i + 0.5) * cell_size(coarse);
        off += fabs(line_at(coarse, a, x, 4).h - line_at(fine, b, x, 4).h);
        sum += line_at(fine, b, x, 4).h;
    }
    free(a);
    free(b);
    return off / sum;
}

static void friction_converges_and_counts(void **state)
{
    (void)state;
    struct line l[4] = {{.length = 50,
                         .cells = 250,
                         .dam = 20,
                         .behind = 1,
                         .gravity = g,
                         .manning = 0.03,
                         .t_end = 4,
                         .times = 1}};
    l[1] = l[2] = l[3] = l[0];
    l[1].cells = 500;
    l[2].cells = 1000;
    l[3].manning = 0;
    double coarse = distance(&l[0], &l[1]), fine = distance(&l[1], &l[2]);
    below("250 cells against 500", coarse, 1e-2);
    below("500 cells against 1000", fine, 0.6 * coarse);
    if (distance(&l[0], &l[3]) < 10 * coarse)
        fail_msg("friction makes no difference");
}

static double bump(double x, double y)
{
    (void)y;
    return sin(pi * x) * sin(pi * x);
}

static struct flow swell(double x, double y)
{
    double h = 5 + exp(cos(2 * pi * x));
    return (struct flow){.w = h + bump(x, y), .u = sin(cos(2 * pi * x)) / h};
}

/* Mean depths of 100 cells from a Fourier solution with 1024 points by an independent program. */
static void the_spectral_solution_is_the_known_one(void **state)
{
    (void)state;
    static const struct {
        double x, h, q;
    } known[] = {
        {0.005, 6.532904484605, -0.1769598871333}, {0.135, 6.763815696589, -5.521230157813},
        {0.295, 6.072773454856, -3.579811224211},  {0.425, 5.545029570346, -1.377906288688},
        {0.585, 5.66261985426, 1.269735683019},    {0.715, 6.291102966952, 3.301960886987},
        {0.905, 7.00634380105, 5.540338111577},
    };
    const struct spectral s = {256, 3000, 1, 9.812, 0.1, bump, swell};
    double table[SPECTRAL_DOUBLES(256)];
    assert_int_equal(spectral_compute(&s, table), ERR_OK);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        static const double node[3] = {-0.77459666924148338, 0, 0.77459666924148338};
        double h = 0, q = 0;
        for (int n = 0; n < 3; n++) {
            double x = known[k].x + 0.005 * node[n], weight = n == 1 ? 8.0 / 18 : 5.0 / 18;
            struct flow f = spectral_flow(&s, table, x, 0, 0);
            h += weight * (f.w - bump(x, 0));
            q += weight * (f.w - bump(x, 0)) * f.u;
        }
        near("mean depth", h, known[k].h, 1e-8);
        near("mean discharge", q, known[k].q, 3e-8);
    }
}

struct fluxes {
    double h, hu, hv, huu, huv, hvv, w;
};

static struct fluxes fluxes_at(const struct flow_case *c, double x, double y)
{
    struct flow f = c->exact(x, y, 0);
    double h = f.w - c->bed(x, y);
    return (struct fluxes){h, h * f.u, h * f.v, h * f.u * f.u, h * f.u * f.v, h * f.v * f.v, f.w};
}

/* The case's forcing, compared with the residual of the equations by central differences. */
static void forcing_makes_the_manufactured_flow_a_solution(void **state)
{
    (void)state;
    const struct flow_case *c = find_case("manufactured");
    assert_non_null(c);
    const double d = 1e-4;
    for (int k = 0; k < 400; k++) {
        const int column = k % 20, row = k / 20;
        double x = c->x0 + c->lx * (column + 0.3) / 20, y = c->y0 + c->ly * (row + 0.6) / 20;
        struct fluxes here = fluxes_at(c, x, y);
        struct fluxes w = fluxes_at(c, x - d, y), e = fluxes_at(c, x + d, y);
        struct fluxes s = fluxes_at(c, x, y - d), n = fluxes_at(c, x, y + d);
        double speed = sqrt(here.hu * here.hu + here.hv * here.hv) / here.h;
        double rough = c->gravity * c->manning * c->manning * speed / pow(here.h, 4.0 / 3);
        double mass = (e.hu - w.hu + n.hv - s.hv) / (2 * d);
        double push_x = c->gravity * here.h * (e.w - w.w) / (2 * d) + rough * here.hu;
        double push_y = c->gravity * here.h * (n.w - s.w) / (2 * d) + rough * here.hv;
        struct forcing f = c->forcing(x, y);
        near("mass", f.w, mass, 1e-7);
        near("momentum in x", f.hu, (e.huu - w.huu + n.huv - s.huv) / (2 * d) + push_x, 1e-6);
        near("momentum in y", f.hv, (e.huv - w.huv + n.hvv - s.hvv) / (2 * d) + push_y, 1e-6);
        below("the rest without friction", 0.02, rough * speed);
    }
}

/* The stream behind the jump: mass and momentum across it, the same velocity along it. */
static void the_oblique_jump_keeps_mass_and_momentum(void **state)
{
    (void)state;
    const struct flow_case *c = find_case("oblique-jump");
    assert_non_null(c);
    struct flow in = c->exact(1, 29, 0), out = c->exact(39, 1, 0);
    double low = 0, high = c->ly;
    for (int k = 0; k < 60; k++) {
        double y = 0.5 * (low + high);
        low = c->exact(30, y, 0).w > in.w ? y : low;
        high = c->exact(30, y, 0).w > in.w ? high : y;
    }
    double tangent = atan(low / 30), s = sin(tangent), t = cos(tangent);
    double across_in = -in.u * s + in.v * t, across_out = -out.u * s + out.v * t;
    near("mass", in.w * across_in, out.w * across_out, 1e-9);
    near("momentum", in.w * across_in * across_in + 0.5 * g * in.w * in.w,
         out.w * across_out * across_out + 0.5 * g * out.w * out.w, 1e-9);
    near("along the jump", in.u * t + in.v * s, out.u * t + out.v * s, 1e-9);
    near("along the wall", out.v, 0, 0);
    near("angle", atan(-in.v / in.u) * 180 / pi, 8.95, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dam_break_on_dry_ground_is_ritters),
        cmocka_unit_test(a_dam_break_on_water_is_stokers),
        cmocka_unit_test(water_keeps_its_volume),
        cmocka_unit_test(still_water_stays_still),
        cmocka_unit_test(the_circular_dam_break_has_its_known_radii),
        cmocka_unit_test(friction_converges_and_counts),
        cmocka_unit_test(the_spectral_solution_is_the_known_one),
        cmocka_unit_test(forcing_makes_the_manufactured_flow_a_solution),
        cmocka_unit_test(the_oblique_jump_keeps_mass_and_momentum),
    };
    return cmocka_run_group_tests_name("references", tests, NULL, NULL);
}
