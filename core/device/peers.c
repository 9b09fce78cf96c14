/* What the system says of the processes of a crew. */
#include "core/device/peers.h"

#include <unistd.h>

#include "core/base/process_life.h"

struct peer peer_self(void)
{
    return (struct peer){process_host(), (long)getpid()};
}

static int is_here(const struct peer *all, const struct crew *c, int rank)
{
    return all && all[rank].host == all[c->rank].host;
}

int peers_gone(const struct peer *all, const struct crew *c)
{
    for (int k = 0; k < c->ranks; k++)
        if (is_here(all, c, k) && process_gone(all[k].pid))
            return k;
    return -1;
}

int peers_stopped(const struct peer *all, const struct crew *c, int rank)
{
    return is_here(all, c, rank) && process_stopped(all[rank].pid);
}
