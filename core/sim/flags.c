/* Flags by which parts on different devices wait for each other without the host: kernels/flags.h.
 * Kernels can wait only for devices that run at the same time: GPUs of which each has one part. A CPU
 * can rehearse it (--exchange peers): its kernels raise flags and check those of the others, which
 * signals let them see. */
#include <stdlib.h>

#include "core/sim/parts.h"
#include "kernels/halo.h"

/* Words of a part's memory: the round, the blocks that have stored, then a flag for each part. */
enum { FIRST_FLAG = 2 };

enum err flags_create(struct sim *s, const char *name, unsigned **memory)
{
    const size_t bytes = (FIRST_FLAG + (size_t)s->whole->parts->count) * sizeof **memory;
    void *p;
    TRY(sim_room(s, name, bytes, &p));
    *memory = p;
    TRY(s->backend->fill(s->device, p, 0, bytes));
    return s->backend->sync(s->device); /* before another one raises its flag */
}

static unsigned long patience(const struct sim *s)
{
    const double ns = 1e9 * s->config->exchange_timeout;
    return ns < 1e18 ? (unsigned long)ns : 1000000000000000000ul;
}

enum err flags_link(struct sim *s, const char *name, unsigned *memory, const int *others,
                    unsigned *const *there, int count, struct flags *f)
{
    unsigned **list = calloc(2 * (size_t)count + 1, sizeof *list), *const *device;
    if (!list)
        FAIL(MEMORY, "no memory for the flags of %d parts", count);
    for (int k = 0; k < count; k++) {
        list[k] = there[k] + FIRST_FLAG + s->member;
        list[count + k] = memory + FIRST_FLAG + others[k];
    }
    const enum err e =
        sim_constant(s, name, list, (2 * (size_t)count + 1) * sizeof *list, (void *)&device);
    free(list);
    TRY(e);
    *f = (struct flags){.round = memory,
                        .raised = device,
                        .awaited = device + count,
                        .abandoned = s->whole->parts->abandoned,
                        .patience = patience(s),
                        .count = count};
    return ERR_OK;
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

static enum err link_part(struct sim *s, void *context)
{
    (void)context;
    TRY(halo_link(s));
    return boards_link(s);
}

enum err flags_choose(struct sim *whole)
{
    struct parts *p = whole->parts;
    const struct sim *first = p->sim[p->first];
    void *word;
    p->waiting = boards_near(p) ? BY_SIGNALS : BY_THE_HOST;
    if (p->waiting == BY_SIGNALS && whole->backend == &backend_cuda && each_has_a_device(whole))
        p->waiting = BY_FLAGS_IN_KERNELS;
    else if (p->waiting == BY_SIGNALS && whole->backend == &backend_cpu &&
             whole->config->exchange == EXCHANGE_PEERS)
        p->waiting = BY_FLAGS;
    else
        return ERR_OK;
    TRY(first->backend->host_alloc(first->device, sizeof *p->abandoned, &word));
    p->abandoned = word;
    *p->abandoned = 0;
    return parts_do(whole, link_part, NULL);
}

void flags_destroy(struct sim *whole)
{
    const struct parts *p = whole->parts;
    const struct sim *first = p->abandoned ? p->sim[p->first] : NULL;
    if (first)
        first->backend->host_release(first->device, p->abandoned);
}
