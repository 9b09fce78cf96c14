/* The observers of a simulation: which it uses, and when they are launched. */
#include "core/sim/observer.h"

enum err observers_choose(struct sim *s)
{
    for (const struct observer *const *o = observers; *o; o++) {
        if (!(*o)->wanted(s))
            continue;
        if (s->observer_count == OBSERVERS)
            FAIL(USAGE, "a run has at most %d observers; '%s' exceeds that", OBSERVERS, (*o)->name);
        s->observer[s->observer_count++].as = *o;
    }
    return ERR_OK;
}

size_t observers_bytes(const struct sim *s)
{
    size_t sum = 0;
    for (int k = 0; k < s->observer_count; k++)
        sum += s->observer[k].as->bytes ? s->observer[k].as->bytes(s) : 0;
    return sum;
}

static int divisor(int a, int b)
{
    return b ? divisor(b, a % b) : a;
}

/* The largest number of passes that divides `every` steps, if each pass makes its step. */
static int passes_in(const struct sim *s, unsigned long every)
{
    int n = GRAPH_PASSES;
    while (n > 1 && every % (unsigned long)(n * s->scheme->steps) != 0)
        n--;
    return n;
}

enum err observers_create(struct sim *s)
{
    int common = 0;
    for (int k = 0; k < s->observer_count; k++) {
        struct observing *o = &s->observer[k];
        if (o->as->create)
            TRY(o->as->create(s, o));
        const int n = o->as->every ? passes_in(s, o->as->every(s)) : 1;
        o->seldom = n > 1;
        common = o->seldom ? divisor(n, common) : common;
    }
    s->observer_period = common > 1 ? common : 1;
    return ERR_OK;
}

enum err observers_create_whole(struct sim *s)
{
    for (int k = 0; k < s->observer_count; k++)
        if (s->observer[k].as->joins)
            TRY(s->observer[k].as->create(s, &s->observer[k]));
    return ERR_OK;
}

void observers_destroy(struct sim *s)
{
    for (int k = 0; k < s->observer_count; k++)
        if (s->observer[k].as->destroy)
            s->observer[k].as->destroy(&s->observer[k]);
}

int observers_period(const struct sim *s)
{
    return s->redoes ? 1 : s->observer_period;
}

static enum err look_at_all(struct sim *s, enum occasion when)
{
    for (int k = 0; k < s->observer_count; k++) {
        struct observing *o = &s->observer[k];
        if (o->as->look && !(when == LOOK_PASS && o->seldom && s->observer_phase > 0))
            TRY(o->as->look(s, o, when));
    }
    return ERR_OK;
}

enum err observers_begin(struct sim *s)
{
    const unsigned long passes = s->now.steps / (unsigned long)s->scheme->steps;
    s->observer_phase = (int)(passes % (unsigned long)observers_period(s));
    return look_at_all(s, LOOK_BEGIN);
}

enum err observers_pass(struct sim *s)
{
    s->observer_phase = (s->observer_phase + 1) % observers_period(s);
    return look_at_all(s, LOOK_PASS);
}

enum err observers_end(struct sim *s)
{
    return look_at_all(s, LOOK_END);
}

int observers_look(const struct sim *s)
{
    int look = 0;
    for (int k = 0; k < s->observer_count; k++)
        look |= s->observer[k].as->look != NULL;
    return look;
}

int observers_need_room(const struct sim *s)
{
    int need = 0;
    for (int k = 0; k < s->observer_count; k++)
        need |= s->observer[k].as->make_room != NULL;
    return need;
}

enum err observers_make_room(struct sim *s, long wanted, long *passes)
{
    *passes = wanted;
    for (int k = 0; k < s->observer_count; k++)
        if (s->observer[k].as->make_room)
            TRY(s->observer[k].as->make_room(s, &s->observer[k], passes));
    return ERR_OK;
}

struct observing *observing(struct sim *s, const struct observer *o)
{
    for (int k = 0; k < s->observer_count; k++)
        if (s->observer[k].as == o)
            return &s->observer[k];
    return NULL;
}
