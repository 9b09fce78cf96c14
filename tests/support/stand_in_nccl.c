/* A stand-in for NCCL between the parts of one process on the GPUs of tests/support/stand_in_gpu.c: device memory is
 * the host's, and who waits for another one waits in its thread. It has what core/device/nccl_api.h asks for. The
 * environment says what it pretends:
 *
 *     FAKE_NCCL         its version: 22809, which is 2.28.9
 *     FAKE_NCCL_FAULT   NAME CODE: every call of this name fails with this error; ncclCommGetAsyncError tells of it
 *     FAKE_NCCL_MUTE    N: from its exchange N on, counted from 1, the last GPU carries nothing more; join: nor joins
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/stand_in_setting.h"
#include "tests/support/stand_in_stream.h"

enum { SYSTEM = 2, INVALID = 5, MOST_PARCELS = 64, UINT64 = 5 };

typedef struct {
    char internal[128];
} ncclUniqueId;

struct letter {
    struct letter *next;
    int from, to;
    size_t bytes;
    char content[];
};

/* Those who hold one id. */
struct room {
    struct room *next;
    ncclUniqueId id;
    int count, joined;
    struct letter *first;
    int arrived; /* at the reduction under way */
    unsigned round;
    unsigned long largest, result;
};

struct ncclComm {
    struct room *room;
    struct ncclComm *next; /* of the aborted ones */
    int number, exchanges, aborted;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct room *rooms;
static struct ncclComm *aborted;
static int ids;

static int fault(const char *call)
{
    const char *wanted = setting("FAKE_NCCL_FAULT", "");
    const size_t n = strcspn(wanted, " ");
    return n && strlen(call) == n && strncmp(wanted, call, n) == 0
               ? (int)strtol(wanted + n, NULL, 10)
               : 0;
}

const char *ncclGetErrorString(int code);
const char *ncclGetErrorString(int code)
{
    return code == SYSTEM    ? "unhandled system error"
           : code == INVALID ? "invalid usage"
                             : "remote process exited or there was a network error";
}

int ncclGetVersion(int *version);
int ncclGetVersion(int *version)
{
    *version = (int)strtol(setting("FAKE_NCCL", "22809"), NULL, 10);
    return 0;
}

int ncclGetUniqueId(ncclUniqueId *id);
int ncclGetUniqueId(ncclUniqueId *id)
{
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, "room %d", ++ids);
    return fault("ncclGetUniqueId");
}

/* With the lock held. */
static struct room *find_room(const ncclUniqueId *id, int count)
{
    struct room *r = rooms;
    while (r && memcmp(&r->id, id, sizeof *id) != 0)
        r = r->next;
    if (!r && (r = calloc(1, sizeof *r)) != NULL) {
        *r = (struct room){.next = rooms, .id = *id, .count = count};
        rooms = r;
    }
    return r;
}

int ncclCommInitRank(struct ncclComm **c, int count, ncclUniqueId id, int number);
int ncclCommInitRank(struct ncclComm **c, int count, ncclUniqueId id, int number)
{
    const int failed = fault("ncclCommInitRank");
    if (failed)
        return failed;
    if (strcmp(setting("NCCL_NVLS_ENABLE", ""), "0") != 0)
        return INVALID;
    while (strcmp(setting("FAKE_NCCL_MUTE", ""), "join") == 0 && number == count - 1)
        pause();
    pthread_mutex_lock(&lock);
    struct ncclComm *new = calloc(1, sizeof *new);
    if (new)
        *new = (struct ncclComm){.room = find_room(&id, count), .number = number};
    if (!new || !new->room || new->room->count != count)
        abort();
    new->room->joined++;
    pthread_cond_broadcast(&changed);
    while (new->room->joined < count)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    *c = new;
    return 0;
}

int ncclCommDestroy(struct ncclComm *c);
int ncclCommDestroy(struct ncclComm *c)
{
    free(c);
    return 0;
}

/* It stays, for a thread that still waits. */
int ncclCommAbort(struct ncclComm *c);
int ncclCommAbort(struct ncclComm *c)
{
    pthread_mutex_lock(&lock);
    c->aborted = 1;
    c->next = aborted;
    aborted = c;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int ncclCommGetAsyncError(struct ncclComm *c, int *result);
int ncclCommGetAsyncError(struct ncclComm *c, int *result)
{
    (void)c;
    *result = fault("ncclCommGetAsyncError");
    return 0;
}

struct parcel {
    struct ncclComm *comm;
    struct stand_in_stream *stream;
    int peer, comes;
    char *to;
    const char *from;
    size_t bytes;
};

/* An exchange. */
struct group {
    int count;
    struct parcel parcel[MOST_PARCELS];
};

static _Thread_local struct group open_group;
static _Thread_local int begun;

/* With the lock held. */
static void put(const struct parcel *p)
{
    struct letter *l = calloc(1, sizeof *l + p->bytes), **end = &p->comm->room->first;
    if (!l)
        abort();
    l->from = p->comm->number;
    l->to = p->peer;
    l->bytes = p->bytes;
    memcpy(l->content, p->from, p->bytes);
    while (*end)
        end = &(*end)->next;
    *end = l;
    pthread_cond_broadcast(&changed);
}

/* The first one from the peer. False if it has not come. With the lock held. */
static int take(const struct parcel *p)
{
    struct letter **l = &p->comm->room->first;
    while (*l && ((*l)->from != p->peer || (*l)->to != p->comm->number))
        l = &(*l)->next;
    struct letter *const found = *l;
    if (!found)
        return 0;
    if (found->bytes != p->bytes)
        abort();
    memcpy(p->to, found->content, p->bytes);
    *l = found->next;
    free(found);
    return 1;
}

static void exchange(void *data)
{
    const struct group *g = data;
    struct ncclComm *const c = g->parcel[0].comm;
    const long mute = strtol(setting("FAKE_NCCL_MUTE", "0"), NULL, 10);
    pthread_mutex_lock(&lock);
    c->exchanges++;
    const int muted = mute > 0 && c->exchanges >= mute && c->number == c->room->count - 1;
    for (int k = 0; k < g->count && !muted; k++)
        if (!g->parcel[k].comes)
            put(&g->parcel[k]);
    for (int k = 0; k < g->count && !muted; k++)
        while (g->parcel[k].comes && !c->aborted && !take(&g->parcel[k]))
            pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int ncclGroupStart(void);
int ncclGroupStart(void)
{
    begun = 1;
    open_group.count = 0;
    return fault("ncclGroupStart");
}

int ncclGroupEnd(void);
int ncclGroupEnd(void)
{
    const int failed = fault("ncclGroupEnd");
    begun = 0;
    return failed || open_group.count == 0 ? failed
                                           : stream_enqueue(open_group.parcel[0].stream, exchange,
                                                            &open_group, sizeof open_group);
}

/* Alone, outside a group, one would wait for a peer that waits likewise. */
static int add(const char *call, const struct parcel *p)
{
    const int failed = fault(call);
    if (failed || !begun || open_group.count == MOST_PARCELS)
        return failed ? failed : INVALID;
    open_group.parcel[open_group.count++] = *p;
    return 0;
}

int ncclSend(const void *from, size_t n, int type, int peer, struct ncclComm *c,
             struct stand_in_stream *s);
int ncclSend(const void *from, size_t n, int type, int peer, struct ncclComm *c,
             struct stand_in_stream *s)
{
    (void)type;
    return add("ncclSend", &(struct parcel){c, s, peer, 0, NULL, from, n});
}

int ncclRecv(void *to, size_t n, int type, int peer, struct ncclComm *c, struct stand_in_stream *s);
int ncclRecv(void *to, size_t n, int type, int peer, struct ncclComm *c, struct stand_in_stream *s)
{
    (void)type;
    return add("ncclRecv", &(struct parcel){c, s, peer, 1, to, NULL, n});
}

struct reduction {
    struct ncclComm *comm;
    const void *from;
    void *to;
    int wide;
};

static void reduce(void *data)
{
    const struct reduction *a = data;
    struct room *const r = a->comm->room;
    pthread_mutex_lock(&lock);
    const unsigned round = r->round;
    const unsigned long own =
        a->wide ? *(const unsigned long *)a->from : *(const unsigned *)a->from;
    r->largest = own > r->largest ? own : r->largest;
    if (++r->arrived == r->count) {
        r->result = r->largest;
        r->largest = 0;
        r->arrived = 0;
        r->round++;
        pthread_cond_broadcast(&changed);
    }
    while (r->round == round && !a->comm->aborted)
        pthread_cond_wait(&changed, &lock);
    if (a->wide)
        *(unsigned long *)a->to = r->result;
    else
        *(unsigned *)a->to = (unsigned)r->result;
    pthread_mutex_unlock(&lock);
}

int ncclAllReduce(const void *from, void *to, size_t n, int type, int how, struct ncclComm *c,
                  struct stand_in_stream *s);
int ncclAllReduce(const void *from, void *to, size_t n, int type, int how, struct ncclComm *c,
                  struct stand_in_stream *s)
{
    const struct reduction a = {c, from, to, type == UINT64};
    const int failed = fault("ncclAllReduce");
    if (failed || n != 1 || how != 2)
        return failed ? failed : INVALID;
    return stream_enqueue(s, reduce, &a, sizeof a);
}
