/* Processes that wait tell each other so. */
#include "core/device/presence.h"

#include <stdlib.h>

struct presence {
    const struct transport *by;
    void *link;
    struct crew crew;
    int tag;
    int own;       /* what the parcels carry: this process's number */
    int *sent;     /* to each, the number of its pending parcel; -1: none */
    double *heard; /* of each, when */
    int from;      /* arrives here */
    int hearing;   /* the number of the parcel that brings it; -1: none is expected */
};

void presence_destroy(struct presence *p)
{
    if (!p)
        return;
    if (p->hearing >= 0)
        p->by->forget(p->link, p->hearing);
    free(p->sent);
    free(p->heard);
    free(p);
}

struct presence *presence_create(const struct transport *by, void *link, const struct crew *c,
                                 int tag)
{
    struct presence *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct presence){
        .by = by, .link = link, .crew = *c, .tag = tag, .own = c->rank, .hearing = -1};
    p->sent = malloc((size_t)c->ranks * sizeof *p->sent);
    p->heard = calloc((size_t)c->ranks, sizeof *p->heard);
    if (!p->sent || !p->heard) {
        presence_destroy(p);
        return NULL;
    }
    for (int k = 0; k < c->ranks; k++)
        p->sent[k] = -1;
    return p;
}

/* One to whom an earlier parcel is still on its way does not hear. */
void presence_tell(struct presence *p)
{
    for (int k = 0; k < p->crew.ranks; k++) {
        const struct parcel here = {
            .peer = k, .tag = p->tag, .bytes = &p->own, .size = sizeof p->own};
        if (k == p->own || (p->sent[k] >= 0 && p->by->ended(p->link, p->sent[k]) == 0))
            continue;
        p->sent[k] = p->by->begin(p->link, &here);
    }
}

void presence_hear(struct presence *p, double now)
{
    const struct parcel here = {
        .peer = ANYONE, .tag = p->tag, .comes = 1, .bytes = &p->from, .size = sizeof p->from};
    for (;;) {
        if (p->hearing < 0)
            p->hearing = p->by->begin(p->link, &here);
        if (p->hearing < 0 || p->by->ended(p->link, p->hearing) <= 0)
            return;
        p->hearing = -1;
        p->heard[p->from] = now;
    }
}

int presence_silent(const struct presence *p, int whom, double since)
{
    for (int k = 0; k < p->crew.ranks && p->heard[whom] >= since; k++)
        if (k != p->own && p->heard[k] < since)
            return k;
    return whom;
}
