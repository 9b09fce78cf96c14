/* Which GPUs a process uses. */
#include "core/device/ranks.h"
#include "core/sim/sim_parts.h"

static struct device_list list_all(const struct backend *b)
{
    struct device_list all = {0};
    char why[512];
    for (; all.count < LISTED_DEVICES && b->available(all.count, why, sizeof why); all.count++)
        all.of[all.count] = all.count;
    return all;
}

/* The processes of a host share its GPUs: each gets some, or several share one. */
static struct device_list share_of(const struct device_list *all, const struct ranks *ranks)
{
    const int place = ranks ? ranks_crew(ranks)->place : 0;
    const int processes = ranks ? ranks_crew(ranks)->neighbours : 1;
    struct device_list own = {0};
    const int first = place * all->count / processes;
    const int end = (place + 1) * all->count / processes;
    for (int k = first; k < end || own.count == 0; k++)
        own.of[own.count++] = all->of[k];
    return own;
}

enum err sim_choose_devices(struct sim *s, const struct ranks *ranks)
{
    const struct config *c = s->config;
    struct device_list all = c->devices;
    const int chosen = all.all || all.count > 0;
    s->devices = (struct device_list){.count = 1, .of = {c->device}};
    if (s->backend != &backend_cuda) {
        if (chosen)
            FAIL(USAGE,
                 "--devices: expected the cuda backend, got --backend %s: to split the domain "
                 "there, give --parts %d instead",
                 s->backend->name, all.count > 1 ? all.count : 2);
        return ERR_OK;
    }
    if (!chosen && !(ranks && c->device == 0))
        return ERR_OK;
    if (all.count == 0)
        all = list_all(s->backend);
    s->devices = share_of(&all, ranks);
    if (!chosen)
        s->devices.count = 1; /* the one of the process's rank */
    return ERR_OK;
}
