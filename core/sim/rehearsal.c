/* Several processes, emulated by threads. */
#include "core/sim/rehearsal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/thread.h"
#include "core/device/ranks.h"
#include "core/device/thread_ranks.h"

/* One of the others. */
struct player {
    struct setup setup;
    struct post_address address;
    pthread_t thread;
};

struct rehearsal {
    struct post_office *office;
    struct ranks *first;
    struct player *player;
    int players; /* number started */
};

static enum err play(struct player *p)
{
    struct sim *s;
    TRY(sim_create(&s, &p->setup));
    const enum err e = sim_obey(s, NULL);
    sim_destroy(s);
    return e;
}

static void *run(void *context)
{
    struct player *p = context;
    log_mute_thread();
    enum err e = ranks_open(&p->setup.ranks, &thread_transport, &p->address,
                            p->setup.config->exchange_timeout);
    if (!e)
        e = play(p);
    ranks_close(&p->setup.ranks, e);
    return NULL;
}

static enum err start(struct rehearsal *r, const struct setup *setup, int count)
{
    r->office = post_office_create(count, setup->config->ranks_delay);
    r->player = calloc((size_t)count, sizeof *r->player);
    if (!r->office || !r->player)
        FAIL(MEMORY, "no memory for %d processes", count);
    for (; r->players < count - 1; r->players++) {
        struct player *p = &r->player[r->players];
        *p = (struct player){*setup, {r->office, r->players + 1}, 0};
        const int failed = thread_start(&p->thread, run, p);
        if (failed)
            FAIL(MACHINE, "--ranks %d: no thread can be started: %s", count, strerror(failed));
    }
    struct post_address own = {r->office, 0};
    return ranks_open(&r->first, &thread_transport, &own, setup->config->exchange_timeout);
}

enum err rehearsal_begin(struct rehearsal **out, struct setup *setup)
{
    struct rehearsal *r = *out = calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for several processes");
    const enum err e = start(r, setup, setup->config->ranks);
    setup->ranks = r->first;
    return e;
}

void rehearsal_end(struct rehearsal **out, enum err e)
{
    struct rehearsal *r = *out;
    if (!r)
        return;
    ranks_close(&r->first, e);
    for (int k = 0; k < r->players; k++)
        pthread_join(r->player[k].thread, NULL);
    post_office_destroy(r->office);
    free(r->player);
    free(r);
    *out = NULL;
}
