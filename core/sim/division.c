/* Divides a domain into parts, assigns them to processes, and derives each part's problem from the
 * whole. */
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/nccl_api.h"
#include "core/problem/initial_state.h"
#include "core/sim/apron.h"
#include "core/sim/parts.h"

/* The first part of a process; each has equally many, or one more. */
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
                                 p->nccl.used           ? "nccl"
                                 : p->loans.used        ? "peers"
                                 : p->ranks             ? ranks_by(p->ranks)
                                 : p->stageds > 0       ? "host"
                                 : s->devices.count > 1 ? "peers"
                                                        : "memory"};
}

/* One strip for each GPU of each process. */
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

struct sim *sim_first_part(struct sim *s)
{
    return s->parts ? s->parts->sim[s->parts->first] : s;
}

struct share parts_share(const struct sim *s)
{
    const struct parts *p = s->parts;
    if (!p)
        return (struct share){1, 1, 1, 1};
    return (struct share){.parts = (size_t)p->count,
                          .own = (size_t)p->own,
                          .of_device = (size_t)p->of_device,
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
             "%d parts for %d processes: expected at least one for each; choose more --parts, or "
             "start fewer processes",
             p->count, c->ranks);
    p->first = parts_first(p, c->rank);
    p->own = parts_first(p, c->rank + 1) - p->first;
    log_info("%d processes, %d here", c->ranks, c->neighbours);
    return ERR_OK;
}

/* Where parts compute cells of their neighbours, columns of parts begin at even cells: on a GPU two cells of a row are one
 * access, and the last one of an odd row would reach into cells of the neighbour (kernels/ROWS.md). What parts have at
 * least is even, so that they still have it. */
static void cut_between_pairs(struct partition *c)
{
    for (int k = 1; k < c->columns; k++)
        c->x[k] -= c->x[k] % 2;
}

/* As it lies on the device; checks of other things than parts leave alone what cannot be cut. */
static enum err cut(const struct sim *whole, const struct shares *s, int beyond,
                    struct partition *c)
{
    const enum err e = cut_domain(s, whole->grid.nx, whole->grid.ny, GHOSTS + beyond, c);
    const int stays = whole->config->parts_where_possible &&
                      (e == ERR_USAGE || whole->config->domain == DOMAIN_SPARSE);
    if (stays)
        *c = (struct partition){.columns = 1, .rows = 1};
    else if (!e && beyond > 0)
        cut_between_pairs(c);
    else if (beyond > 0)
        err_context("--ghost-steps %d wants %d cells of each neighbour, a smaller one fewer",
                    whole->config->ghost_steps, GHOSTS + beyond);
    return stays ? ERR_OK : e;
}

/* Beyond a periodic edge the bed goes on as at the other end but for rounding: cells computed there would differ. */
static enum err check_round(const struct parts *p)
{
    const int cut[2] = {p->cut.columns > 1, p->cut.rows > 1};
    if (p->beyond > 0 && ((cut[0] && p->periodic[0]) || (cut[1] && p->periodic[1])))
        FAIL(USAGE, "--ghost-steps: the domain is cut across a periodic edge, where parts exchange "
                    "before every substep: cut it the other way by --parts, or choose "
                    "--ghost-steps substep");
    return ERR_OK;
}

/* Whether what is insisted on can be. Rehearsed processes (--ranks) may have parts of their own exchange through the
 * host, as processes do whose GPUs cannot reach each other. */
static enum err check_exchange(const struct sim *whole, const struct ranks *ranks)
{
    const int choice = whole->config->exchange;
    if (choice == EXCHANGE_MPI && !ranks)
        FAIL(USAGE, "--exchange mpi: this run is in one process; start several, such as by mpirun "
                    "-n 2, or omit it");
    const int rehearsed = whole->config->ranks > 1;
    if (ranks && choice == EXCHANGE_HOST && !rehearsed)
        FAIL(USAGE,
             "--exchange host: this run is in %d processes, which exchange by %s; start one, or "
             "omit it",
             ranks_crew(ranks)->ranks, ranks_by(ranks));
    if (whole->backend == &backend_cpu && (choice == EXCHANGE_NCCL || choice == EXCHANGE_PEERS))
        FAIL(USAGE, "--exchange %s: expected the cuda backend, got cpu: omit it",
             choice == EXCHANGE_NCCL ? "nccl" : "peers");
    return ERR_OK;
}

/* Logs what was chosen, and why. */
void parts_tell_exchange(struct sim *whole)
{
    const struct parts *p = whole->parts;
    const char *by = sim_divided(whole).exchange;
    int one, other;
    if (p->cycle > 0)
        log_info("exchange once in %d steps, as --ghost-steps says: parts compute up to %d cells "
                 "of their neighbours",
                 p->cycle * whole->scheme->steps, p->beyond);
    const char *by_nccl = *p->nccl.why_not ? "; not by NCCL: " : "";
    if (p->nccl.used && whole->config->exchange == EXCHANGE_NCCL)
        log_info("exchange by NCCL %s (%s), because of --exchange nccl", nccl_api.version,
                 nccl_api.path);
    else if (p->nccl.used)
        log_info("exchange by NCCL %s (%s), as %s", nccl_api.version, nccl_api.path,
                 *p->loans.why_not ? p->loans.why_not
                 : p->ranks        ? "each part has a GPU of this host"
                                   : "not all GPUs can reach each other's memory");
    else if (p->loans.used)
        log_info("exchange by peers: the GPUs of %d processes can reach each other's memory",
                 ranks_crew(p->ranks)->ranks);
    else if (p->ranks)
        log_info("exchange by %s: through the hosts of %d processes%s%s%s%s", by,
                 ranks_crew(p->ranks)->ranks, *p->loans.why_not ? "; not by peers: " : "",
                 p->loans.why_not, by_nccl, p->nccl.why_not);
    else if (whole->config->exchange == EXCHANGE_HOST)
        log_info("exchange through the host, because of --exchange host");
    else if (halo_strangers(p, &one, &other))
        log_info("exchange through the host: the GPUs of parts %d and %d cannot reach each other's "
                 "memory%s%s",
                 one, other, by_nccl, p->nccl.why_not);
    else if (p->waiting == BY_THE_HOST)
        log_info("exchange by %s, and the host waits: not all GPUs can reach each other's memory",
                 by);
    else
        log_info("exchange by %s: %s", by,
                 whole->devices.count > 1 && p->of_device < p->count
                     ? "all GPUs can reach each other's memory"
                     : "all parts are on one device");
}

/* As many of the process's GPUs as it has parts, from the first one on. Logs those left idle; one
 * that is not there is a mistake all the same. */
static enum err keep_devices(struct sim *whole, int parts)
{
    struct device_list *l = &whole->devices;
    const int all = l->count;
    char idle[LISTED_DEVICES * sizeof "1024"] = "", why[512];
    size_t n = 0;
    l->count = all < parts ? all : parts;
    for (int k = l->count; k < all; k++) {
        if (!whole->backend->available(l->of[k], why, sizeof why))
            FAIL(ABSENT, "--devices: %s", why);
        if (!devices_have(l, l->count, l->of[k]))
            n += (size_t)snprintf(idle + n, sizeof idle - n, "%s%d", n ? "," : "", l->of[k]);
    }
    if (n > 0)
        log_info("%d part%s for %d GPUs: GPU %s idle", parts, parts == 1 ? "" : "s", all, idle);
    return ERR_OK;
}

/* Processes need a part each; a single one then has the whole domain. */
static enum err check_one_part(const struct ranks *ranks)
{
    if (ranks)
        FAIL(USAGE,
             "--parts 1: one part for %d processes: expected at least one for each; choose more, "
             "omit it, or start one process",
             ranks_crew(ranks)->ranks);
    return ERR_OK;
}

enum err parts_cut(struct sim *whole, struct ranks *ranks)
{
    struct shares asked = whole->config->parts;
    struct partition cells;
    struct expansion far;
    TRY(check_exchange(whole, ranks));
    if (shares_parts(&asked) == 0)
        TRY(choose_shares(whole, ranks, &asked));
    const struct shares shares = whole->turned ? shares_turned(&asked) : asked;
    if (shares_parts(&shares) < 2) {
        TRY(keep_devices(whole, 1));
        return check_one_part(ranks);
    }
    TRY(apron_choose(whole, &far));
    TRY(cut(whole, &shares, far.cells, &cells));
    if (cells.columns * cells.rows < 2)
        return keep_devices(whole, 1);
    struct parts *p = whole->parts = calloc(1, sizeof *p);
    if (!p)
        FAIL(MEMORY, "no memory for parts");
    p->shares = asked;
    pthread_mutex_init(&p->turn, NULL);
    p->cut = cells;
    p->beyond = far.cells;
    p->cycle = far.passes;
    p->periodic[0] = whole->boundary[WEST] == PERIODIC;
    p->periodic[1] = whole->boundary[SOUTH] == PERIODIC;
    TRY(check_round(p));
    log_info("%d parts: %d along x, %d along y", p->cut.columns * p->cut.rows,
             whole->turned ? p->cut.rows : p->cut.columns,
             whole->turned ? p->cut.columns : p->cut.rows);
    TRY(share_out(p, ranks));
    TRY(keep_devices(whole, p->own));
    return parts_find_shared(whole);
}

/* The gauges in the part's cells, counted from its first. */
static enum err choose_gauges(struct sim *s)
{
    const struct gauge_list *all = s->whole->gauge_list;
    const struct window *w = &s->window;
    if (!all)
        return ERR_OK;
    s->own_gauges.gauge = calloc((size_t)all->count, sizeof *all->gauge);
    s->gauge_number = calloc((size_t)all->count, sizeof *s->gauge_number);
    if (!s->own_gauges.gauge || !s->gauge_number)
        FAIL(MEMORY, "no memory for %d gauges", all->count);
    for (int k = 0; k < all->count; k++) {
        struct gauge g = all->gauge[k];
        g.i = (s->whole->turned ? all->gauge[k].j : all->gauge[k].i) - w->i0;
        g.j = (s->whole->turned ? all->gauge[k].i : all->gauge[k].j) - w->j0;
        if (g.i < 0 || g.i >= w->nx || g.j < 0 || g.j >= w->ny)
            continue;
        s->gauge_number[s->own_gauges.count] = k;
        s->own_gauges.gauge[s->own_gauges.count++] = g;
    }
    s->gauge_list = s->own_gauges.count > 0 ? &s->own_gauges : NULL;
    return ERR_OK;
}

struct plan parts_plan(const struct parts *p, int k)
{
    const struct depths deep = {GHOSTS + p->beyond, GHOSTS};
    return plan_part(&p->cut, p->periodic, k, &deep);
}

/* What a part has in common with the whole: the problem, the method and their numbers. */
static void inherit(struct sim *s, const struct sim *whole)
{
    const struct window *w = &s->window;
    const struct plan plan = parts_plan(whole->parts, s->member);
    s->config = whole->config;
    s->scheme = whole->scheme;
    s->system = whole->system;
    s->backend = whole->backend;
    s->grid = whole->grid;
    s->grid.nx = w->nx;
    s->grid.ny = w->ny;
    for (int e = 0; e < EDGES; e++) {
        s->boundary[e] = plan.neighbour[e] < 0 ? whole->boundary[e] : NEIGHBOUR;
        s->beyond[e] = plan.neighbour[e] < 0 ? 0 : whole->parts->beyond;
    }
    s->imposing = whole->imposing;
    s->open_sides = whole->open_sides;
    s->edges.series_count = whole->edges.series_count;
    s->t_end = whole->t_end;
    s->real_size = whole->real_size;
    s->forced = whole->forced;
    s->rough = whole->rough;
    memcpy(s->added, whole->added, sizeof s->added);
    s->open_edges = whole->open_edges;
    s->gauge_every = whole->gauge_every;
    s->spring_list = whole->spring_list;
    s->physics = whole->physics;
    s->volume_units = whole->volume_units;
    s->now = whole->now;
}

enum err parts_describe(struct sim *whole)
{
    for (int k = 0; k < whole->parts->count; k++) {
        struct sim *s = whole->parts->sim[k];
        s->whole = whole;
        s->member = k;
        s->window = cut_part(&whole->parts->cut, k);
        inherit(s, whole);
        TRY(choose_gauges(s));
    }
    return ERR_OK;
}
