/* How a domain is divided: its parts, and which of them are in which process. */
#include <stdlib.h>

#include "core/base/log.h"
#include "core/problem/initial_state.h"
#include "core/sim/parts.h"

/* The first part of a process; they have as many each, or one more. */
int parts_first(const struct parts *p, int rank)
{
    return (int)((long)p->count * rank / ranks_crew(p->ranks)->ranks);
}

int parts_rank(const struct parts *p, int k)
{
    int rank = 0;
    while (p->ranks && k >= parts_first(p, rank + 1))
        rank++;
    return rank;
}

int parts_here(const struct parts *p, int k)
{
    return k >= p->first && k < p->first + p->own;
}

struct sim_division sim_divided(const struct sim *s)
{
    const struct parts *p = s->parts;
    if (!p)
        return (struct sim_division){shares_rows(1), 1, 1, "none"};
    return (struct sim_division){p->shares, p->count, p->ranks ? ranks_crew(p->ranks)->ranks : 1,
                                 p->ranks               ? ranks_by(p->ranks)
                                 : p->stageds > 0       ? "host"
                                 : s->devices.count > 1 ? "peers"
                                                        : "memory"};
}

/* A strip for each GPU of each process. */
static enum err choose_shares(const struct sim *whole, struct ranks *ranks, struct shares *s)
{
    unsigned long most = (unsigned long)whole->devices.count;
    if (ranks)
        TRY(ranks_largest(ranks, &most));
    const int n = (int)most * (ranks ? ranks_crew(ranks)->ranks : 1);
    if (n > MOST_CUTS)
        FAIL(USAGE, "%d processes with %lu GPUs each: choose --parts, such as %dx2",
             ranks ? ranks_crew(ranks)->ranks : 1, most, n / 2);
    *s = shares_rows(n);
    return ERR_OK;
}

struct share parts_share(const struct sim *s)
{
    const struct parts *p = s->parts;
    const size_t devices = (size_t)s->devices.count;
    if (!p)
        return (struct share){1, 1, 1, 1};
    return (struct share){.parts = (size_t)p->count,
                          .own = (size_t)p->own,
                          .of_device = ((size_t)p->own + devices - 1) / devices,
                          .neighbours = p->ranks ? (size_t)ranks_crew(p->ranks)->neighbours : 1};
}

static enum err share_out(struct parts *p, struct ranks *ranks)
{
    p->count = p->own = p->cut.columns * p->cut.rows;
    p->ranks = ranks;
    if (!ranks)
        return ERR_OK;
    const struct crew *c = ranks_crew(ranks);
    if (p->count < c->ranks)
        FAIL(USAGE,
             "%d parts for %d processes: each needs one; choose more --parts, or start fewer",
             p->count, c->ranks);
    p->first = parts_first(p, c->rank);
    p->own = parts_first(p, c->rank + 1) - p->first;
    log_info("%d processes, %d here, exchange by %s", c->ranks, c->neighbours, ranks_by(ranks));
    return ERR_OK;
}

enum err parts_cut(struct sim *whole, struct ranks *ranks)
{
    struct shares asked = whole->config->parts;
    if (shares_parts(&asked) < 2)
        TRY(choose_shares(whole, ranks, &asked));
    const struct shares shares = whole->turned ? shares_turned(&asked) : asked;
    if (shares_parts(&shares) < 2)
        return ERR_OK;
    struct parts *p = whole->parts = calloc(1, sizeof *p);
    if (!p)
        FAIL(MEMORY, "no memory for parts");
    p->shares = asked;
    TRY(cut_domain(&shares, whole->grid.nx, whole->grid.ny, GHOSTS, &p->cut));
    p->periodic[0] = whole->boundary[WEST] == PERIODIC;
    p->periodic[1] = whole->boundary[SOUTH] == PERIODIC;
    log_info("%d parts: %d along x, %d along y", p->cut.columns * p->cut.rows,
             whole->turned ? p->cut.rows : p->cut.columns,
             whole->turned ? p->cut.columns : p->cut.rows);
    return share_out(p, ranks);
}
