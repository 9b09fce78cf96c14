/* From a case to a simulation. */
#include "verification/run/case_sim.h"

#include <math.h>

#include "verification/run/verify.h"

enum err case_sim_open(struct case_sim *s, const struct flow_case *c)
{
    enum err e = problem_open_case(&s->problem, c, &s->config);
    if (!e)
        e = sim_create(&s->sim, &s->problem.setup);
    if (e)
        case_sim_close(s);
    return e;
}

void case_sim_close(struct case_sim *s)
{
    sim_destroy(s->sim);
    problem_close(&s->problem);
    s->sim = NULL;
}

double case_fixed_dt(const struct flow_case *c, int n)
{
    const double dx = c->lx / n, per_area = c->verify ? c->verify->dt_per_area : 0;
    return per_area > 0 ? per_area * dx * dx : (double)NAN;
}
