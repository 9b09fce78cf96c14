/* A run in several processes: the first one runs it, and has the others do what concerns their parts, by orders. They do
 * nothing by themselves, so none of them can be of another mind than the first. Private to this room. */
#ifndef SHOAL_ORDERS_H
#define SHOAL_ORDERS_H

#include "core/sim/parts.h"

/* Something to be done with one part, here or in another process. */
enum part_call_kind {
    CALL_READ,     /* as sim_read: `name`, `window` of the part */
    CALL_WRITE,    /* as sim_write */
    CALL_DOWNLOAD, /* the bytes of the array `name` */
    CALL_UPLOAD,   /* the same to the device; zeros where none are given */
    CALL_GAUGES,   /* rows that gauges have left, as observe_gauges.c lays them */
    CALL_SAMPLES,  /* `nx` x `ny` samples of the domain, as observe_sample.c lays them */
    CALL_VOLUME,   /* as observe_volume.c asks */
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

/* What does each of them, with a part of this process. */
typedef enum err part_call_work(struct sim *part, const struct part_call *c);
part_call_work call_read, call_write, call_download, call_upload, call_gauges, call_samples,
    call_volume;

/* In the first process: does it with part k, wherever that is. */
enum err parts_call(struct sim *whole, int k, const struct part_call *c);

/* A run of steps, of all parts. */
struct course {
    struct clock now; /* the whole sim's */
    double t_end, t_pause;
    int passes;  /* the whole sim's */
    long many;   /* passes to be made without a look at the result; 0: steps until t_pause */
    int watched; /* somebody may stop it */
};

/* What a process brings home of it. */
struct course_end {
    double wall;                /* of its slowest part */
    int stopped;                /* somebody wants the run to end */
    counter counters[COUNTERS]; /* of its parts, when the last step began */
};

/* In the first process: has the others step, too; and adds what they bring home. */
enum err orders_step(struct sim *whole, const struct course *c);
enum err orders_stepped(struct sim *whole, struct course_end *sum);

/* While all parts meet: the first process does `work`, and gives orders for it, which the others obey until it is done.
 * An error of it is everybody's. */
enum err orders_lead(struct parts *p, team_decision *work, void *context);

#endif
