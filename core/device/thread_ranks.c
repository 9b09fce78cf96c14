/* A post office: it keeps sent parcels until they are fetched. */
#include "core/device/thread_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/monotonic_time.h"

/* A parcel that has not been fetched yet; `next` was sent later. */
struct letter {
    struct letter *next;
    double due; /* when it arrives, s */
    int from, to, tag;
    char bytes[];
};

struct post_office {
    int ranks;
    double delay;
    pthread_mutex_t lock;
    struct letter *first, *last;
};

/* A parcel that a process expects; it receives the first matching letter that no earlier
 * expectation takes. */
struct expected {
    struct parcel parcel; /* null in a free place */
    unsigned long number;
    int arrived;
};

struct counter_desk {
    struct post_office *office;
    int rank, places;
    struct expected *expected;
    unsigned long count;
};

struct post_office *post_office_create(int ranks, double delay)
{
    struct post_office *o = calloc(1, sizeof *o);
    if (o) {
        o->ranks = ranks;
        o->delay = delay;
        pthread_mutex_init(&o->lock, NULL);
    }
    return o;
}

void post_office_destroy(struct post_office *o)
{
    if (!o)
        return;
    while (o->first) {
        struct letter *next = o->first->next;
        free(o->first);
        o->first = next;
    }
    pthread_mutex_destroy(&o->lock);
    free(o);
}

static int open_desk(void **link, void *given, struct crew *c, char *why, size_t n)
{
    const struct post_address *a = given;
    struct counter_desk *d = calloc(1, sizeof *d);
    if (!d) {
        snprintf(why, n, "no memory");
        return -1;
    }
    d->office = a->office;
    d->rank = a->rank;
    *c = (struct crew){a->rank, a->office->ranks, a->rank, a->office->ranks};
    *link = d;
    return 0;
}

static int expect(struct counter_desk *d, const struct parcel *p)
{
    int k = 0;
    while (k < d->places && d->expected[k].parcel.bytes)
        k++;
    if (k == d->places) {
        struct expected *more = realloc(d->expected, (size_t)(k + 16) * sizeof *more);
        if (!more)
            return -1;
        memset(more + k, 0, 16 * sizeof *more);
        d->expected = more;
        d->places = k + 16;
    }
    d->expected[k] = (struct expected){*p, d->count++, 0};
    return k;
}

/* A sent parcel is done once it is in the post office, so it needs no number of its own. */
enum { SENT = 1 << 20 };

static int begin(void *link, const struct parcel *p)
{
    struct counter_desk *d = link;
    if (p->comes)
        return expect(d, p);
    struct letter *l = malloc(sizeof *l + p->size);
    if (!l)
        return -1;
    *l = (struct letter){.from = d->rank, .to = p->peer, .tag = p->tag};
    l->due = d->office->delay > 0 ? seconds() + d->office->delay : 0;
    memcpy(l->bytes, p->bytes, p->size);
    pthread_mutex_lock(&d->office->lock);
    if (d->office->first)
        d->office->last->next = l;
    else
        d->office->first = l;
    d->office->last = l;
    pthread_mutex_unlock(&d->office->lock);
    return SENT;
}

static struct expected *find(struct counter_desk *d, const struct letter *l)
{
    struct expected *first = NULL;
    for (int k = 0; k < d->places; k++) {
        struct expected *x = &d->expected[k];
        const struct parcel *p = &x->parcel;
        if (p->bytes && !x->arrived && p->tag == l->tag &&
            (p->peer == ANYONE || p->peer == l->from) && (!first || x->number < first->number))
            first = x;
    }
    return first;
}

/* Fetches all parcels that have arrived for this process and are expected, in the order of
 * sending; hold the lock. */
static void fetch(struct counter_desk *d)
{
    struct post_office *o = d->office;
    const double now = o->delay > 0 ? seconds() : 0;
    struct letter **at = &o->first;
    o->last = NULL;
    while (*at) {
        struct letter *l = *at;
        struct expected *x = l->to == d->rank && l->due <= now ? find(d, l) : NULL;
        if (x) {
            memcpy(x->parcel.bytes, l->bytes, x->parcel.size);
            x->arrived = 1;
            *at = l->next;
            free(l);
        } else {
            o->last = l;
            at = &l->next;
        }
    }
}

static int ended(void *link, int number)
{
    struct counter_desk *d = link;
    if (number == SENT)
        return 1;
    struct expected *x = &d->expected[number];
    if (!x->arrived) {
        pthread_mutex_lock(&d->office->lock);
        fetch(d);
        pthread_mutex_unlock(&d->office->lock);
    }
    if (!x->arrived)
        return 0;
    x->parcel.bytes = NULL;
    return 1;
}

static void forget(void *link, int number)
{
    struct counter_desk *d = link;
    d->expected[number].parcel.bytes = NULL;
}

static void close_desk(void *link, int together)
{
    struct counter_desk *d = link;
    (void)together;
    free(d->expected);
    free(d);
}

static const char *library(void)
{
    return "threads of this process";
}

const struct transport thread_transport = {
    .version = TRANSPORT_VERSION,
    .most = (size_t)1 << 30, /* as MPI's: the delay is one of each parcel */
    .name = "threads",
    .library = library,
    .open = open_desk,
    .begin = begin,
    .ended = ended,
    .forget = forget,
    .close = close_desk,
};
