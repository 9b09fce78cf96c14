/* Processes that compute one domain: waiting with a time limit, reductions, failure notices. */
#include "core/device/ranks.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/monotonic_time.h"
#include "core/device/peers.h"
#include "core/device/presence.h"

static const double EAGER = 2e-3;   /* s: a waiting process yields for this long, then sleeps */
static const double ROUNDS = 0.05;  /* s between checks whether the others are alive */
static const double LAST_WORDS = 1; /* s for telling others about an error */

/* A process's failure notice. */
struct notice {
    int lost, error; /* the lost process, or -1 */
    char message[1024];
};

struct ranks {
    const struct transport *by;
    void *link;
    struct crew crew;
    double patience, looked, told;
    struct presence *presence;
    int unhurried;
    int asleep;  /* how many looks in a row the awaited process was stopped */
    int *number; /* number of pending parcels */
    int room;
    struct peer *peer;
    int hearing; /* the parcel that receives notices; -1: none is expected any more */
    struct notice heard;
    enum err over; /* the error that ended everything */
    char message[sizeof((struct notice *)0)->message];
    int lost; /* the lost process; -1: none */
    int dead; /* the system says that it is */
};

const struct crew *ranks_crew(const struct ranks *r)
{
    return &r->crew;
}

const char *ranks_by(const struct ranks *r)
{
    return r->by->name;
}

void ranks_wait(struct ranks *r, double patience)
{
    r->patience = patience;
}

void ranks_unhurried(struct ranks *r, int unhurried)
{
    r->unhurried = unhurried;
}

int ranks_speaks(const struct ranks *r)
{
    return r->crew.rank == (r->lost == 0 ? 1 : 0);
}

static enum err end_with(struct ranks *r, enum err e, const char *message)
{
    r->over = e;
    snprintf(r->message, sizeof r->message, "%s", message);
    return err_set(e, __FILE__, __LINE__, "%s", r->message);
}

static enum err hear(struct ranks *r)
{
    if (r->hearing < 0 || r->by->ended(r->link, r->hearing) <= 0)
        return ERR_OK;
    r->hearing = -1;
    r->lost = r->heard.lost;
    return end_with(r, (enum err)r->heard.error, r->heard.message);
}

/* One of the pending parcels whose peer is awaited. */
static int late(const struct ranks *r, const struct parcel *p, int n)
{
    for (int k = 0; k < n; k++)
        if (r->number[k] >= 0)
            return p[k].peer;
    return 0;
}

/* Tells the others, several times while they are patient, that this process is waiting. */
static void show_presence(struct ranks *r)
{
    presence_hear(r->presence, r->looked);
    if (r->looked - r->told < r->patience / 4)
        return;
    r->told = r->looked;
    presence_tell(r->presence);
}

/* What of a time of waiting counts. Who takes its time may, unless it is stopped: looks are counted, as this
 * process may have been stopped together with it. */
static double counted(struct ranks *r, int whom, double waited)
{
    r->asleep = r->unhurried && peers_stopped(r->peer, &r->crew, whom) ? r->asleep + 1 : 0;
    return r->unhurried ? r->asleep * ROUNDS : waited;
}

/* The notice of a process that ended takes precedence: it has the error. */
static enum err look_around(struct ranks *r, int whom, double waited)
{
    char what[160];
    r->looked = seconds();
    const int gone = peers_gone(r->peer, &r->crew);
    TRY(hear(r));
    show_presence(r);
    waited = counted(r, whom, waited);
    if (gone < 0 && waited < r->patience)
        return ERR_OK;
    whom = presence_silent(r->presence, whom, r->looked - waited);
    r->dead = gone >= 0;
    r->lost = gone < 0 ? whom : gone;
    if (gone >= 0)
        snprintf(what, sizeof what, "process %d of %d is gone: it was killed, or crashed", gone,
                 r->crew.ranks);
    else
        snprintf(what, sizeof what,
                 "process %d of %d has not answered for %g s (--exchange-timeout): it is stopped, "
                 "gone or cut off",
                 whom, r->crew.ranks, r->patience);
    return err_set(ERR_MACHINE, __FILE__, __LINE__, "%s", what);
}

/* Yields to working threads. */
static void pause_a_little(double waited)
{
    static const struct timespec nap = {.tv_nsec = 100000};
    if (waited < EAGER)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

/* The number of unfinished ones; -1: one failed. */
static int count_under_way(struct ranks *r, int n)
{
    int left = 0;
    for (int k = 0; k < n; k++) {
        const int ended = r->number[k] < 0 ? 1 : r->by->ended(r->link, r->number[k]);
        if (ended < 0)
            return -1;
        if (ended)
            r->number[k] = -1;
        left += !ended;
    }
    return left;
}

static enum err wait_for_all(struct ranks *r, const struct parcel *p, int n)
{
    const double began = r->looked = r->told = seconds();
    r->asleep = 0;
    for (int left; (left = count_under_way(r, n)) != 0;) {
        const double now = seconds();
        if (left < 0)
            FAIL(MACHINE, "%s could not carry what process %d of %d waits for", r->by->name,
                 late(r, p, n), r->crew.ranks);
        TRY(hear(r));
        if (now - r->looked > ROUNDS || (!r->unhurried && now - began > r->patience))
            TRY(look_around(r, late(r, p, n), now - began));
        pause_a_little(now - began);
    }
    return ERR_OK;
}

static enum err make_room(struct ranks *r, int n)
{
    if (n <= r->room)
        return ERR_OK;
    int *more = realloc(r->number, (size_t)n * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for %d parcels", n);
    r->number = more;
    r->room = n;
    return ERR_OK;
}

/* Receives are posted before sends. */
static enum err begin_all(struct ranks *r, const struct parcel *p, int n)
{
    TRY(make_room(r, n));
    for (int k = 0; k < n; k++)
        r->number[k] = -1;
    for (int comes = 1; comes >= 0; comes--)
        for (int k = 0; k < n; k++) {
            if (p[k].comes != comes)
                continue;
            r->number[k] = r->by->begin(r->link, &p[k]);
            if (r->number[k] < 0)
                FAIL(MACHINE, "%s cannot carry %zu bytes between processes %d and %d", r->by->name,
                     p[k].size, r->crew.rank, p[k].peer);
        }
    return ERR_OK;
}

static void forget_all(struct ranks *r, const struct parcel *p, int n)
{
    for (int k = 0; k < n && k < r->room; k++)
        if (r->number[k] >= 0 && p[k].comes)
            r->by->forget(r->link, r->number[k]);
}

static enum err carry(struct ranks *r, const struct parcel *p, int n)
{
    enum err e = begin_all(r, p, n);
    if (!e)
        e = wait_for_all(r, p, n);
    if (e)
        forget_all(r, p, n);
    return e;
}

/* The next piece of each parcel that has data after `done`: at most `most` bytes. */
static int cut_parcels(const struct parcel *p, int n, size_t done, size_t most,
                       struct parcel *piece)
{
    int pieces = 0;
    for (int k = 0; k < n; k++) {
        if (p[k].size <= done)
            continue;
        piece[pieces] = p[k];
        piece[pieces].bytes = (char *)p[k].bytes + done;
        piece[pieces].size = p[k].size - done > most ? most : p[k].size - done;
        pieces++;
    }
    return pieces;
}

static enum err carry_in_pieces(struct ranks *r, const struct parcel *p, int n)
{
    const size_t most = r->by->most;
    struct parcel *piece = malloc((size_t)n * sizeof *piece);
    if (!piece)
        FAIL(MEMORY, "no memory for %d parcels", n);
    enum err e = ERR_OK;
    int pieces;
    for (size_t done = 0; !e && (pieces = cut_parcels(p, n, done, most, piece)) > 0; done += most)
        e = carry(r, piece, pieces);
    free(piece);
    return e;
}

enum err ranks_carry(struct ranks *r, const struct parcel *p, int n)
{
    int large = 0;
    if (r->over)
        return err_set(r->over, __FILE__, __LINE__, "%s", r->message);
    for (int k = 0; k < n; k++)
        large |= p[k].size > r->by->most;
    const enum err e = large ? carry_in_pieces(r, p, n) : carry(r, p, n);
    if (e && !r->over)
        ranks_fail(r, e);
    return e;
}

enum err ranks_look(struct ranks *r)
{
    if (r->over)
        return err_set(r->over, __FILE__, __LINE__, "%s", r->message);
    const enum err e = look_around(r, 0, 0);
    if (e && !r->over)
        ranks_fail(r, e);
    return e;
}

static struct parcel parcel_to(int peer, int tag, void *bytes, size_t size)
{
    return (struct parcel){.peer = peer, .tag = tag, .bytes = bytes, .size = size};
}

static struct parcel parcel_from(int peer, int tag, void *bytes, size_t size)
{
    return (struct parcel){.peer = peer, .tag = tag, .comes = 1, .bytes = bytes, .size = size};
}

/* Each round doubles the number of processes that a process knows about; counting some twice is
 * harmless. */
static enum err reduce(struct ranks *r, int tag, unsigned long *number,
                       enum err (*by)(struct ranks *, const struct parcel *, int))
{
    const int n = r->crew.ranks;
    for (int far = 1; far < n; far *= 2) {
        unsigned long own = *number, other = 0;
        const struct parcel both[2] = {
            parcel_from((r->crew.rank + n - far) % n, tag, &other, sizeof other),
            parcel_to((r->crew.rank + far) % n, tag, &own, sizeof own)};
        TRY(by(r, both, 2));
        *number = other > own ? other : own;
    }
    return ERR_OK;
}

enum err ranks_largest(struct ranks *r, unsigned long *number)
{
    return reduce(r, TAG_LARGEST, number, ranks_carry);
}

enum err ranks_same(struct ranks *r, const char *hex, const char *what)
{
    char half[17];
    for (int k = 0; k < 4; k++) {
        snprintf(half, sizeof half, "%.16s", hex + 16L * k);
        const unsigned long own = strtoul(half, NULL, 16);
        unsigned long most = own, least = ~own;
        TRY(ranks_largest(r, &most));
        TRY(ranks_largest(r, &least));
        if (most != ~least)
            FAIL(USAGE,
                 "the processes of this run have different %s: start all with the same command, "
                 "files and build of Shoal",
                 what);
    }
    return ERR_OK;
}

void ranks_fail(struct ranks *r, enum err e)
{
    struct notice n = {r->lost, (int)e, ""};
    if (r->over)
        return;
    snprintf(n.message, sizeof n.message, "%s", err_message());
    (void)end_with(r, e, n.message);
    struct parcel *p = malloc((size_t)r->crew.ranks * sizeof *p);
    int count = 0;
    for (int k = 0; p && k < r->crew.ranks; k++)
        if (k != r->crew.rank && k != r->lost)
            p[count++] = parcel_to(k, TAG_NOTICE, &n, sizeof n);
    if (p && r->lost >= 0 && r->lost != r->crew.rank && !r->dead) /* it may only be late */
        p[count++] = parcel_to(r->lost, TAG_NOTICE, &n, sizeof n);
    if (p && begin_all(r, p, count) == ERR_OK)
        for (const double began = seconds();
             count_under_way(r, count) > 0 && seconds() - began < LAST_WORDS;)
            pause_a_little(seconds() - began);
    free(p);
    err_keep(r->over, __FILE__, __LINE__, "%s", r->message);
}

void ranks_end(struct ranks *r, enum err e)
{
    char message[sizeof r->message];
    snprintf(message, sizeof message, "%s", err_message());
    if (e && !r->over)
        (void)end_with(r, e, message);
}

enum err ranks_gather(struct ranks *r, const void *own, size_t bytes, void *all)
{
    struct parcel *p = calloc(2 * (size_t)r->crew.ranks, sizeof *p);
    int count = 0;
    if (!p)
        FAIL(MEMORY, "no memory for %d processes", r->crew.ranks);
    memcpy((char *)all + (size_t)r->crew.rank * bytes, own, bytes);
    for (int k = 0; k < r->crew.ranks; k++) {
        if (k == r->crew.rank)
            continue;
        p[count++] = parcel_from(k, TAG_GATHER, (char *)all + (size_t)k * bytes, bytes);
        p[count++] = parcel_to(k, TAG_GATHER, (void *)(size_t)own, bytes);
    }
    const enum err e = ranks_carry(r, p, count);
    free(p);
    return e;
}

static enum err meet_peers(struct ranks *r)
{
    const struct peer self = peer_self();
    struct peer *peer = calloc((size_t)r->crew.ranks, sizeof *peer);
    if (!peer)
        FAIL(MEMORY, "no memory for %d processes", r->crew.ranks);
    const enum err e = ranks_gather(r, &self, sizeof self, peer);
    r->peer = peer;
    return e;
}

/* Listens for failure notices. */
static enum err join(struct ranks *r)
{
    r->presence = presence_create(r->by, r->link, &r->crew, TAG_HERE);
    if (!r->presence)
        FAIL(MEMORY, "no memory for %d processes", r->crew.ranks);
    const struct parcel news = parcel_from(ANYONE, TAG_NOTICE, &r->heard, sizeof r->heard);
    r->hearing = r->by->begin(r->link, &news);
    if (r->hearing < 0)
        FAIL(MACHINE, "%s cannot receive", r->by->name);
    return meet_peers(r);
}

static void destroy(struct ranks *r)
{
    presence_destroy(r->presence);
    free(r->peer);
    free(r->number);
    free(r);
}

enum err ranks_open(struct ranks **out, const struct transport *by, void *given, double patience)
{
    char why[512];
    struct ranks *r = calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for the states of other processes");
    *r = (struct ranks){.by = by, .patience = patience, .unhurried = 1, .hearing = -1, .lost = -1};
    if (by->open(&r->link, given, &r->crew, why, sizeof why)) {
        destroy(r);
        FAIL(MACHINE, "%s cannot be started: %s", by->name, why);
    }
    *out = r;
    return join(r);
}

void ranks_close(struct ranks **out, enum err e)
{
    struct ranks *r = *out;
    unsigned long nothing = 0;
    if (!r)
        return;
    if (e)
        ranks_fail(r, e);
    r->unhurried = 0;
    if (r->hearing >= 0)
        r->by->forget(r->link, r->hearing);
    r->hearing = -1;
    const int together = r->lost < 0 && reduce(r, TAG_CLOSE, &nothing, carry) == ERR_OK;
    if (r->over)
        err_keep(r->over, __FILE__, __LINE__, "%s", r->message);
    presence_destroy(r->presence);
    r->presence = NULL;
    r->by->close(r->link, together);
    destroy(r);
    *out = NULL;
}
