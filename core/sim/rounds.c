/* How the kernels of parts wait for each other without the host: kernels/rounds.h. They can wait only
 * for devices that run at the same time: GPUs with one part each. Elsewhere the launches that send and
 * those that receive are separate, and signals put them in order. */
#include "core/sim/parts.h"
#include "kernels/halo.h"

/* Bytes: a driver cuts smaller allocations from a common piece of memory, which it would lend as a whole. */
enum { OWN_PAGES = 2 << 20 };

static unsigned long patience(const struct sim *s)
{
    const double ns = 1e9 * s->config->exchange_timeout;
    return ns < 1e18 ? (unsigned long)ns : 1000000000000000000ul;
}

enum err rounds_create(struct sim *s, const char *name, struct rounds *r)
{
    static const unsigned first[ROUND_NUMBERS] = {
        1}; /* a place that nothing has reached holds round 0 */
    if (!s->abandoned) {
        void *p;
        TRY(s->backend->host_alloc(s->device, sizeof *s->abandoned, &p));
        s->abandoned = p;
        *s->abandoned = 0;
    }
    *r = (struct rounds){.abandoned = s->abandoned, .patience = patience(s)};
    return sim_constant(s, name, first, sizeof first, &r->number);
}

enum err rounds_room(struct sim *s, const char *name, size_t numbers, void **p)
{
    const size_t bytes = numbers * sizeof(word) * s->real_size / sizeof(float);
    const int lent = s->backend->lend && s->whole->parts->ranks;
    TRY(sim_room(s, name, lent && bytes < OWN_PAGES ? OWN_PAGES : bytes, p));
    TRY(s->backend->fill(s->device, *p, 0, bytes));
    return s->backend->sync(s->device); /* before another part sends */
}

void rounds_destroy(struct sim *s)
{
    if (s->abandoned)
        s->backend->host_release(s->device, s->abandoned);
    s->abandoned = NULL;
}

void rounds_abandon(struct parts *p, unsigned abandoned)
{
    for (int k = p->first; k < p->first + p->own; k++)
        __atomic_store_n(p->sim[k]->abandoned, abandoned, __ATOMIC_RELEASE);
}

static int each_has_a_device(const struct sim *whole)
{
    const struct parts *p = whole->parts;
    for (int k = p->first; k < p->first + p->own; k++)
        for (int other = p->first; other < k; other++)
            if (parts_device(whole, k) == parts_device(whole, other))
                return 0;
    return 1;
}

int rounds_on_cpus;

static int kernels_can_wait(const struct sim *whole)
{
    return whole->backend == &backend_cuda ? each_has_a_device(whole) : rounds_on_cpus;
}

int rounds_may_meet(const struct sim *s)
{
    const enum exchange_choice way = (enum exchange_choice)s->config->exchange;
    return s->whole && !s->alternation && !s->config->order && kernels_can_wait(s->whole) &&
           (way == EXCHANGE_AUTO || way == EXCHANGE_PEERS);
}

void rounds_choose(struct sim *whole)
{
    struct parts *p = whole->parts;
    p->waiting = p->nccl.used              ? BY_NCCL
                 : !boards_near(p)         ? BY_THE_HOST
                 : kernels_can_wait(whole) ? IN_KERNELS
                                           : BY_SIGNALS;
}
