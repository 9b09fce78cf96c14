/* Where the parts of a process wait for each other: their threads and their devices. */
#include "core/sim/parts.h"

enum err parts_meet(struct sim *part, team_decision *decide, void *context)
{
    struct parts *p = part->whole->parts;
    if (part->recording)
        pthread_mutex_unlock(&p->turn);
    const enum err e = team_meet(p->team, decide, context);
    if (part->recording)
        pthread_mutex_lock(&p->turn);
    return e;
}

void parts_take_turns(struct sim *part, int recording)
{
    struct parts *p = part->whole->parts;
    if (recording)
        pthread_mutex_lock(&p->turn);
    else
        pthread_mutex_unlock(&p->turn);
    part->recording = recording;
}

static enum err go_on(void *context)
{
    (void)context;
    return ERR_OK;
}

enum err parts_follow_first(struct sim *part)
{
    const struct parts *p = part->whole->parts;
    const struct sim *first = p->sim[p->first];
    if (part == first)
        TRY(part->backend->signal(part->device, SIGNAL_FIRST));
    TRY(parts_meet(part, go_on, NULL));
    return part == first ? ERR_OK : part->backend->await(part->device, first->device, SIGNAL_FIRST);
}

enum err parts_precede_first(struct sim *part)
{
    const struct parts *p = part->whole->parts;
    if (part->member != p->first)
        TRY(part->backend->signal(part->device, SIGNAL_OTHERS));
    TRY(parts_meet(part, go_on, NULL));
    for (int k = p->first + 1; part->member == p->first && k < p->first + p->own; k++)
        TRY(part->backend->await(part->device, p->sim[k]->device, SIGNAL_OTHERS));
    return ERR_OK;
}
