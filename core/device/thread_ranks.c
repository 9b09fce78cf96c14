/* A post office: parcels that are sent lie in it until they are fetched. */
#include "core/device/thread_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that nobody has fetched yet; `next` was sent later. */
struct letter {
    struct letter *next;
    int from, to, tag;
    char bytes[];
};

struct post_office {
    int ranks;
    pthread_mutex_t lock;
    struct letter *first, *last;
};

/* A process: what it expects, by number. */
struct counter_desk {
    struct post_office *office;
    int rank;
    struct parcel *expected; /* a free place has no bytes */
    int places;
};

struct post_office *post_office_create(int ranks)
{
    struct post_office *o = calloc(1, sizeof *o);
    if (o) {
        o->ranks = ranks;
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
    while (k < d->places && d->expected[k].bytes)
        k++;
    if (k == d->places) {
        struct parcel *more = realloc(d->expected, (size_t)(k + 16) * sizeof *more);
        if (!more)
            return -1;
        memset(more + k, 0, 16 * sizeof *more);
        d->expected = more;
        d->places = k + 16;
    }
    d->expected[k] = *p;
    return k;
}

/* What is sent has ended when it lies there: its number is that of no place. */
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

/* The first one that fits; with the lock held. */
static struct letter *fetch(struct post_office *o, int rank, const struct parcel *p)
{
    struct letter *before = NULL, *l = o->first;
    while (l && !(l->to == rank && l->tag == p->tag && (p->peer == ANYONE || l->from == p->peer))) {
        before = l;
        l = l->next;
    }
    if (!l)
        return NULL;
    if (before)
        before->next = l->next;
    else
        o->first = l->next;
    o->last = o->last == l ? before : o->last;
    return l;
}

static int ended(void *link, int number)
{
    struct counter_desk *d = link;
    if (number == SENT)
        return 1;
    pthread_mutex_lock(&d->office->lock);
    struct letter *l = fetch(d->office, d->rank, &d->expected[number]);
    pthread_mutex_unlock(&d->office->lock);
    if (!l)
        return 0;
    memcpy(d->expected[number].bytes, l->bytes, d->expected[number].size);
    d->expected[number].bytes = NULL;
    free(l);
    return 1;
}

static void forget(void *link, int number)
{
    struct counter_desk *d = link;
    d->expected[number].bytes = NULL;
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
    .name = "threads",
    .library = library,
    .open = open_desk,
    .begin = begin,
    .ended = ended,
    .forget = forget,
    .close = close_desk,
};
