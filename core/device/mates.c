/* One GPU's end of the exchanges by NCCL. */
#include "core/device/mates.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/device/cuda_device.h"
#include "core/device/nccl_api.h"

/* Nanoseconds to wait for a call of another thread that may itself wait for a lost GPU. */
enum { POLITE = 200000000, SECOND = 1000000000 };

struct mates {
    struct device *dev;
    pthread_mutex_t turn; /* of the thread that uses: */
    ncclComm_t comm;      /* null: given up */
};

_Static_assert(sizeof(struct mates_invitation) == sizeof(ncclUniqueId),
               "an invitation is NCCL's unique id");

enum err mates_invite(struct mates_invitation *to)
{
    ncclUniqueId id;
    TRY(NCCL(ncclGetUniqueId(&id)));
    memcpy(to, &id, sizeof id);
    return ERR_OK;
}

enum err mates_join(struct mates **out, struct device *dev, const struct mates_invitation *to,
                    int count, int number)
{
    ncclUniqueId id;
    memcpy(&id, to, sizeof id);
    TRY(enter(dev));
    struct mates *m = calloc(1, sizeof *m);
    if (!m)
        FAIL(MEMORY, "no memory for what a GPU knows of the others");
    m->dev = dev;
    pthread_mutex_init(&m->turn, NULL);
    const enum err e = NCCL(ncclCommInitRank(&m->comm, count, id, number));
    if (e) {
        m->comm = NULL;
        mates_leave(m);
        return e;
    }
    *out = m;
    return ERR_OK;
}

/* Returns with the lock held if it succeeds. */
static enum err begin(struct mates *m)
{
    TRY(enter(m->dev));
    pthread_mutex_lock(&m->turn);
    if (m->comm)
        return ERR_OK;
    pthread_mutex_unlock(&m->turn);
    FAIL(MACHINE, "NCCL carries nothing more, as another part has failed");
}

static enum err add(struct mates *m, const struct parcel *p)
{
    return p->comes
               ? NCCL(ncclRecv(p->bytes, p->size, NCCL_UINT8, p->peer, m->comm, m->dev->stream))
               : NCCL(ncclSend(p->bytes, p->size, NCCL_UINT8, p->peer, m->comm, m->dev->stream));
}

/* A group that has begun ends, whatever happens: the message is that of the first failure. */
enum err mates_carry(struct mates *m, const struct parcel *p, int n)
{
    TRY(begin(m));
    enum err e = NCCL(ncclGroupStart());
    if (!e) {
        for (int k = 0; k < n && !e; k++)
            e = add(m, &p[k]);
        if (e)
            nccl_api.ncclGroupEnd();
        else
            e = NCCL(ncclGroupEnd());
    }
    pthread_mutex_unlock(&m->turn);
    return e;
}

enum err mates_largest(struct mates *m, void *number, size_t bytes)
{
    const int type = bytes == 8 ? NCCL_UINT64 : NCCL_UINT32;
    TRY(begin(m));
    const enum err e =
        NCCL(ncclAllReduce(number, number, 1, type, NCCL_MAX, m->comm, m->dev->stream));
    pthread_mutex_unlock(&m->turn);
    return e;
}

/* NCCL allows this while another thread uses the communicator. */
enum err mates_look(struct mates *m)
{
    struct ncclComm *const comm = __atomic_load_n(&m->comm, __ATOMIC_ACQUIRE);
    int result = NCCL_SUCCESS;
    if (comm)
        TRY(NCCL(ncclCommGetAsyncError(comm, &result)));
    return nccl_check(result, "an exchange by NCCL", __FILE__, __LINE__);
}

/* A thread that waits for a lost GPU has the turn until NCCL aborts its call. */
void mates_give_up(struct mates *m)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLITE;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    const int mine = pthread_mutex_timedlock(&m->turn, &until) == 0;
    struct ncclComm *const comm = __atomic_exchange_n(&m->comm, NULL, __ATOMIC_ACQ_REL);
    if (comm && cuda_api.cuCtxSetCurrent(m->dev->context) == CUDA_SUCCESS)
        nccl_api.ncclCommAbort(comm);
    if (mine)
        pthread_mutex_unlock(&m->turn);
}

void mates_leave(struct mates *m)
{
    if (!m)
        return;
    if (m->comm && cuda_api.cuCtxSetCurrent(m->dev->context) == CUDA_SUCCESS)
        nccl_api.ncclCommDestroy(m->comm);
    pthread_mutex_destroy(&m->turn);
    free(m);
}
