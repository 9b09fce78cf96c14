/* A run in several processes: the first runs it, and sends the others orders for their parts. They
 * do nothing on their own, so they cannot disagree with it. Private to this room. */
#ifndef SHOAL_ORDERS_H
#define SHOAL_ORDERS_H

#include "core/sim/parts.h"

/* A task for one part, here or in another process. */
enum part_call_kind {
    CALL_READ,     /* as sim_read: `name`, `window` of the part */
    CALL_WRITE,    /* as sim_write */
    CALL_DOWNLOAD, /* reads the bytes of the array `name` */
    CALL_UPLOAD,   /* writes them to the device; zeros if none are given */
    CALL_GAUGES,   /* rows of gauges, in the layout of observe_gauges.c */
    CALL_SAMPLES,  /* `nx` x `ny` samples of the domain, in the layout of observe_sample.c */
    CALL_VOLUME,   /* as observe_volume.c requests */
    CALLS
};

struct part_call {
    enum part_call_kind kind;
    char name[32];
    struct window window;
    int nx, ny;
    const void *in;
    void *out;
    size_t in_bytes, out_bytes;
};

/* Carries out each of them for a part of this process. */
typedef enum err part_call_work(struct sim *part, const struct part_call *c);
part_call_work call_read, call_write, call_download, call_upload, call_gauges, call_samples,
    call_volume;

/* In the first process: does it for part k, in whichever process that is. */
enum err parts_call(struct sim *whole, int k, const struct part_call *c);

/* A run of steps, of all parts. */
struct course {
    struct clock now; /* the whole sim's */
    double t_end, t_pause;
    int passes;  /* the whole sim's */
    long many;   /* passes to make without reading the result; 0: steps until t_pause */
    int watched; /* the run can be stopped */
};

/* The results of a process. */
struct course_end {
    double wall;                /* of its slowest part */
    int stopped;                /* the run should end */
    counter counters[COUNTERS]; /* of its parts, when the last step began */
};

/* In the first process: makes the others step, too; and adds their results. */
enum err orders_step(struct sim *whole, const struct course *c);
enum err orders_stepped(struct sim *whole, struct course_end *sum);

/* While all parts meet: the first process does `work`, and the others obey its orders until it is
 * done. Everyone gets its error. */
enum err orders_lead(struct parts *p, team_decision *work, void *context);

#endif
