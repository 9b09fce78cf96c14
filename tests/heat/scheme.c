/* Forward Euler for heat in a plate. */
#include "schemes/operators.h"

enum { RATE, ADD }; /* places in the list */
static const char *const kernels[] = {"heat_rate", "heat_add", NULL};

/* EDIT THIS: schemes/operators.h says what each line does. Nothing waits for the device. */
static enum err step(struct sim *s)
{
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &(struct rate){.kernel = RATE, .state = Q}));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, RATE, RATE, PLAIN, 1, 0}));
    return advance(s, &(struct substep){.integrate = ADD, .from = Q, .to = Q, .clip_share = 1});
}

/* Claims, which the tests hold it to: the orders, the ghost cells it reads, the largest stable Courant number. Then
 * what it keeps in memory: rates of change. */
extern const struct scheme scheme_heat;
const struct scheme scheme_heat = {
    .name = "heat",
    .title = "forward Euler for heat in a plate",
    .cite = "Courant, Friedrichs and Lewy 1928",
    .system = "heat",
    .order_space = 2,
    .order_time = 1,
    .ghost = 1,
    .cfl = 1,
    .rates = 1,
    .steps = 1,
    .kernels = kernels,
    .step = step,
};
