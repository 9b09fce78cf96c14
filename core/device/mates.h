/* GPUs that carry one domain's parts, one each, and exchange by NCCL: in the order of their streams,
 * so that the host waits for none of them, and exchanges can be recorded in graphs. They may be of
 * one process or of several. */
#ifndef SHOAL_MATES_H
#define SHOAL_MATES_H

#include "core/device/backend.h"
#include "core/device/transport.h"

struct mates; /* one of the GPUs, as it is known to the others */

/* By which they find each other: one of them makes it, and all get it. */
struct mates_invitation {
    char bytes[128];
};
enum err mates_invite(struct mates_invitation *to);

/* Joins the others with an opened device of the cuda backend. Waits for all `count` of them; this one is
 * `number`. None may have the same GPU. */
enum err mates_join(struct mates **out, struct device *dev, const struct mates_invitation *to,
                    int count, int number);

/* Enqueues an exchange: `peer` is the number of the other one, `bytes` lies on the device, and tags
 * mean nothing: bytes for one of the others arrive there in the order of the lists. All enqueue the
 * same exchanges and reductions in the same order. */
enum err mates_carry(struct mates *m, const struct parcel *p, int n);

/* Enqueues a reduction of an unsigned number of 4 or 8 bytes on the device: to the largest one of all. */
enum err mates_largest(struct mates *m, void *number, size_t bytes);

/* Fails if NCCL has noticed that it cannot go on. May be called in any thread, until one gives up or leaves. */
enum err mates_look(struct mates *m);

/* Ends whatever the device waits for; from now on mates_carry and mates_largest fail. May be called
 * in any thread. */
void mates_give_up(struct mates *m);

/* Leaves, once the device has finished, and its graphs are gone. Accepts NULL. */
void mates_leave(struct mates *m);

#endif
