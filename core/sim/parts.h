/* A run in parts: each is a sim over a rectangle of the domain, with a thread of its own, that
 * computes exactly what the undivided sim would compute there. The whole sim steps through them,
 * and reads their data. With several processes each has some of the parts. Private to this room. */
#ifndef SHOAL_PARTS_H
#define SHOAL_PARTS_H

#include <pthread.h>

#include "core/base/team.h"
#include "core/device/ranks.h"
#include "core/mesh/plan.h"
#include "core/sim/sim.h"

/* A copy on the host. */
struct staged {
    void *to;
    const void *from;
    size_t bytes;
};

/* How devices wait for each other in a step: by the host, which waits for all of them; by signals;
 * in kernels of ours; or in those of NCCL. */
enum waiting { BY_THE_HOST, BY_SIGNALS, IN_KERNELS, BY_NCCL };

/* What a part lends to those that reach it: two buffers for ghost cells, two boards. */
enum lent { ARRIVES_0, ARRIVES_1, BOARD_0, BOARD_1, LENT };

/* Addresses here of what a part of another process lends. */
struct borrowed {
    void *at[LENT];
};

/* Whether parts of several processes write into each other's memory: core/sim/exchange_loans.c. */
struct loan_use {
    int used;
    char why_not[512]; /* it was tried */
};

/* Whether parts exchange by NCCL: core/sim/exchange_nccl.c. */
struct nccl_use {
    int used;
    char why_not[PATH_LENGTH + 256]; /* it could help, but cannot be used */
    int stepping;                    /* the parts compute steps */
    double joining;                  /* seconds() when they began to join; 0: they do not */
    enum err failed;                 /* of a part, in them */
    enum err lost;                   /* the error for which this process's parts wait no more, */
    char message[1024];              /* and its message */
};

struct parts {
    struct partition cut;
    int periodic[2]; /* in x, in y */
    int beyond; /* cells of its neighbours that each part computes once more: core/sim/apron.h */
    int cycle;  /* passes from one exchange to the next; 0: one before each substep */
    int count;
    struct sim **sim;    /* those of other processes have only a place in the domain */
    struct ranks *ranks; /* null: all are in this process */
    int first, own;      /* the local ones: `own` of them, from `first` on */
    int of_device;       /* the most parts, of any process, that share one of this process's GPUs */
    struct team *team;   /* of these */
    int connected;       /* the parts are connected; only then is `waiting` valid */
    int dismissed;       /* the other processes have been told that the run is over */
    enum waiting waiting;
    pthread_mutex_t turn; /* whose turn it is while steps are recorded */
    int recorded;         /* the first part has begun a recording, or has made a graph of it */
    struct shares shares;
    struct parcel *parcel; /* what an exchange sends to and receives from other processes */
    int parcels;
    struct staged *staged; /* between local parts that cannot reach each other's memory */
    int stageds;
    struct loan_use loans;
    struct nccl_use nccl;
    int agreed; /* all processes know the error that ends these steps */
    /* What the parts tell each other when they meet: */
    unsigned long *speed; /* of each, the bit pattern of its largest */
    unsigned long fastest;
    int flag;   /* the first part's */
    long batch; /* passes that all enqueue next; the number of them in the current share */
    long some;
    int stopped; /* the run's watcher wants it to end */
};

/* Splits the domain of a sim, which knows its grid and edges, if --parts asks for it, or if there
 * are several processes (null: one). */
enum err parts_cut(struct sim *whole, struct ranks *ranks);

/* Fails if another process has another initial state, or other series. */
enum err parts_same_problem(struct sim *whole, const struct setup *setup);

/* Counts the parts that share a GPU; the first process logs who has which. */
enum err parts_find_shared(struct sim *whole);

/* Number of the domain's parts, of those in this process, and of those of any process that share a
 * device of it, at most; and number of processes on this host. */
struct share {
    size_t parts, own, of_device, neighbours;
};
struct share parts_share(const struct sim *s);

/* The cells that part k copies from others. */
struct plan parts_plan(const struct parts *p, int k);

/* What all parts have in common with the whole, and their places there. */
enum err parts_describe(struct sim *whole);

/* Logs how connected parts exchange, and why. */
void parts_tell_exchange(struct sim *whole);

/* Creates the parts of a split sim that has its initial state. */
enum err parts_create(struct sim *whole, const struct setup *setup);
void parts_destroy(struct sim *whole); /* does nothing if there are none */

/* The first part of a process; the process that has part k; whether it is this one. */
int parts_first(const struct parts *p, int rank);
int parts_rank(const struct parts *p, int k);
int parts_here(const struct parts *p, int k);

/* Runs `work` once for each part of this process, in its thread. */
typedef enum err part_work(struct sim *part, void *context);
enum err parts_do(struct sim *whole, part_work *work, void *context);

/* The steps of a run in parts: sim_run and sim_step_many. */
enum err parts_run(struct sim *whole, double t_pause, int (*progress)(const struct sim *));
enum err parts_step_many(struct sim *whole, long passes);

/* The maximum over all processes; does nothing if there is only one. */
enum err parts_largest(struct parts *p, unsigned long *number);

/* This process's share of these steps. */
struct course;
struct course_end;
enum err parts_step_here(struct sim *whole, const struct course *c,
                         int (*progress)(const struct sim *), struct course_end *end);

/* Of an array of the whole sim, by name: what all parts have. Like sim_read, sim_write, sim_keep
 * and sim_take. */
enum err parts_read(struct sim *whole, const struct array *a, const struct window *w, void *to);
enum err parts_write(struct sim *whole, const struct array *a, const struct window *w,
                     const void *from);
enum err parts_keep(struct sim *whole, const struct array *a, void *to);
enum err parts_take(struct sim *whole, const struct array *a, const void *from);

/* The same of a sim in tiles. */
enum err tiles_read(struct sim *s, const struct array *a, const struct window *w, void *to);
enum err tiles_write(struct sim *s, const struct array *a, const struct window *w,
                     const void *from);

/* What a part needs to exchange ghost cells with its neighbours. Call the first for every part,
 * then the second: it needs everyone's buffers. */
enum err halo_create(struct sim *s);
enum err halo_connect(struct sim *s);
void halo_destroy(struct sim *s);

/* Two parts of this process that exchange through the host; false if there are none. */
int halo_strangers(const struct parts *p, int *one, int *other);

/* The same for the boards with all parts' wave speeds; then whether the parts may use them
 * directly. */
enum err boards_create(struct sim *s);
enum err boards_connect(struct sim *s);
void boards_destroy(struct sim *s);
int boards_near(const struct parts *p);

/* How the connected parts wait for each other. Before that: may a part's kernels meet those of others
 * (kernels/meeting.h), so that they are compiled for it? */
void rounds_choose(struct sim *whole);
int rounds_may_meet(const struct sim *s);

/* For tests, which give each part one thread: kernels wait on a CPU, too. */
extern int rounds_on_cpus;

/* What the kernels of a part need to count their rounds; and room for as many numbers, which carry
 * that of their round. */
struct rounds;
enum err rounds_create(struct sim *s, const char *name, struct rounds *r);
void rounds_destroy(struct sim *s);
enum err rounds_room(struct sim *s, const char *name, size_t numbers, void **p);

/* Tells the kernels of a process's parts whether waiting is no use, as a part has failed. */
void rounds_abandon(struct parts *p, unsigned abandoned);

/* The GPU of a part of this process. */
int parts_device(const struct sim *whole, int member);

/* Numbers of signals between devices: those of exchanges and of wave speeds alternate. */
enum { SIGNAL_GHOSTS = 0, SIGNAL_SPEEDS = 2, SIGNAL_FIRST = 4, SIGNAL_OTHERS = 5 };

/* A meeting of all parts of the process: team_meet. Parts that take turns run one at a time between
 * two meetings. */
enum err parts_meet(struct sim *part, team_decision *decide, void *context);
void parts_take_turns(struct sim *part, int recording);

/* All parts meet; what the others enqueue next follows what the first has enqueued; or what the
 * first does follows what the others have. */
enum err parts_follow_first(struct sim *part);
enum err parts_precede_first(struct sim *part);

/* Appends what the part's exchanges carry through the host, to and from this or other processes; or
 * by NCCL, to and from other parts; to a list; NULL: returns its size. */
int halo_parcels(const struct sim *s, struct parcel *list);

/* Chooses whether created parts of several processes lend each other memory, and borrows it if so; and
 * ends that. */
enum err loans_choose(struct sim *whole);
void loans_return(struct sim *s);

/* At the end of a run without an error: all processes give back what they have borrowed before any frees
 * what it has lent. */
void loans_end(struct sim *whole);

/* What a part lends, or what a part here writes to in part k. */
void *parts_lent(const struct sim *s, enum lent what);
void *parts_place(const struct sim *s, int k, enum lent what);

/* The same of both, which know their content: halo.c, agreement.c. */
void *halo_lent(const struct sim *s, int turn);
void *boards_lent(const struct sim *s, int turn);

/* Do the devices of this process's parts reach each other's memory? */
int parts_reach(const struct sim *whole);

/* Of all processes: does it hold in one? */
enum err parts_any(struct parts *p, int here, int *there);

/* Chooses whether created parts exchange by NCCL, and joins them if so. */
enum err nccl_choose(struct sim *whole);

/* Notes since when, as seconds(), a part waits for its clock, or to enqueue a few steps; 0: it does not. */
void nccl_note(struct sim *s, double since);

/* Between these the parts compute steps. If one fails in them, its device and those of the others no
 * longer wait. `e`: the result, whose message stays. */
void nccl_begin_steps(struct parts *p);
void nccl_end_steps(struct parts *p, enum err e);

/* Of parts that do: enqueues an exchange, or a reduction of a part's largest wave speed, whose pattern
 * lies on the device. Then fails if waiting for the device is over because another part is lost. */
enum err nccl_exchange(struct sim *s, const struct parcel *p, int n);
enum err nccl_largest(struct sim *s, void *pattern);
enum err nccl_lost(const struct sim *s);

/* Builds the lists of all parts of this process; says whether there are any; carries them, when all
 * have packed theirs. */
enum err parts_list_parcels(struct parts *p);
int parts_carried(const struct parts *p);
team_decision parts_carry;

/* Tags of parcels: those of exchanges, by the receiving part and the number of the copy in its
 * plan; then those of orders. */
enum { HALO_TAG = TAG_FREE, ORDER_TAG = HALO_TAG + MOST_PARTS * PLAN_COPIES };

#endif
