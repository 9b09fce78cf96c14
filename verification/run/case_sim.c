/* From a case to a simulation. */
#include "verification/run/case_sim.h"

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
