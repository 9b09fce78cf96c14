/* The order in time that every registered scheme claims, separate from that in space: one grid, ever shorter
 * steps. Where slopes lead to the middle of a step, the error in time falls with the cells too: what halving the
 * steps changes on one grid, and on another twice as fine in steps half as long. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/simulate.h"

static const double PI = 3.14159265358979323846;

/* Faster than its waves everywhere, to the north-east, over a level bed: then the flux is that of the upwind cell,
 * and without slopes the rate of change is a smooth function of the state. With kinks in it no scheme has its order.
 * */
static struct scene torrent(int n)
{
    struct scene s = new_scene(n, n);
    scene_edges(&s, PERIODIC, PERIODIC);
    s.dx = s.dy = 1.0 / n;
    s.t_end = 0.0625;
    for (int k = 0; k < (n + 1) * (n + 1); k++)
        s.bed[k] = -1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double x = 2 * PI * (i + 0.5) / n, y = 2 * PI * (j + 0.5) / n;
            int k = j * n + i;
            s.field[0][k] = 0.1 * cos(x + y + 0.3);
            s.field[1][k] = (1 + s.field[0][k]) * (6 + 0.5 * sin(x));
            s.field[2][k] = (1 + s.field[0][k]) * (7 + 0.5 * cos(y - x));
        }
    return s;
}

/* Runs to the end in equal steps. */
static struct outcome in_steps(const struct config *c, const struct scene *s, int steps)
{
    struct config fixed = *c;
    fixed.dt = s->t_end / steps;
    return simulated(&fixed, s);
}

static double distance(const struct scene *a, const struct scene *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < a->nx * a->ny; c++)
            sum += fabs(a->field[k][c] - b->field[k][c]);
    return sum;
}

/* Every step must be stable: a Courant number of 0.1 at most, at speeds of about 11 m/s. */
static double measured_order(const struct config *c)
{
    enum { STEPS = 256 };
    struct scene s = torrent(24);
    struct outcome o[3];
    for (int k = 0; k < 3; k++)
        o[k] = in_steps(c, &s, STEPS << k);
    double order = log2(distance(&o[0].state, &o[1].state) / distance(&o[1].state, &o[2].state));
    for (int k = 0; k < 3; k++)
        outcome_free(&o[k]);
    scene_free(&s);
    return order;
}

/* In the mean of cells: what half as long steps change. */
static double changed_by_halving(const struct config *c, int n, int steps)
{
    struct scene s = torrent(n);
    struct outcome one = in_steps(c, &s, steps), other = in_steps(c, &s, 2 * steps);
    const double d = distance(&one.state, &other.state) / n / n;
    outcome_free(&one);
    outcome_free(&other);
    scene_free(&s);
    return d;
}

/* A Courant number of 0.4 at first, at speeds of about 11 m/s. */
static double order_by_slopes(const struct config *c)
{
    enum { N = 48, STEPS = 80 };
    return log2(changed_by_halving(c, N, STEPS) / changed_by_halving(c, 2 * N, 2 * STEPS));
}

static void every_scheme_has_the_order_in_time_it_claims(void **state)
{
    (void)state;
    FOR_SCHEMES_OF_WATER (k) {
        struct config c;
        configure(&c, schemes[k]->name, F64);
        snprintf(c.limiter, sizeof c.limiter, schemes[k]->midpoint ? "van_albada" : "none");
        double order = schemes[k]->midpoint ? order_by_slopes(&c) : measured_order(&c);
        print_message("order of %s in time: %.2f\n", schemes[k]->name, order);
        if (!(order >= schemes[k]->order_time - 0.1))
            fail_msg("%s: order %g in time measured, %d claimed", described(&c), order,
                     schemes[k]->order_time);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_has_the_order_in_time_it_claims),
    };
    return cmocka_run_group_tests_name("time order", tests, NULL, NULL);
}
