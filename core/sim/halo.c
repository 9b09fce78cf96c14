/* How parts exchange ghost cells: each sends from the device what its neighbours need, straight into
 * their buffers, all meet, and each copies what has arrived. Two buffers alternate, so that one
 * meeting per exchange is enough: a part that sends again has met the others since they received.
 * Where devices reach each other's memory the host does not meet: the kernel that sends waits for
 * what arrives (rounds.c), or the devices wait for each other by signals, for which only the threads
 * that enqueue meet. The same argument holds for these. What goes to another process, or to a GPU
 * that cannot reach this one's memory, passes through the host on both sides; or NCCL carries it, which
 * waits for the other GPU in its own kernels, between those that send and receive. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/halo.h"
#include "core/sim/halo_rects.h"
#include "core/sim/parts.h"
#include "kernels/meeting.h"

_Static_assert((int)HALO_UNKNOWNS == (int)UNKNOWNS,
               "kernels/halo.h must have room for every unknown");

/* In the plan: what this part sends, and what it receives. */
enum direction { PACK, UNPACK, DIRECTIONS };

/* A copy in the plan of part `to`, and its number there; `far`: it passes through the host, or by NCCL. */
struct transfer {
    int to, number, far;
    struct plan_copy copy;
};

struct halo {
    struct transfer *list[DIRECTIONS]; /* what this part sends, and what it receives */
    int count[DIRECTIONS], cells[DIRECTIONS];
    int pieces[DIRECTIONS], wanted[DIRECTIONS]; /* of these, what kernels read: rectangles; cells */
    void *arrives[2];                           /* on the device, what its neighbours send */
    struct halo_rect *rect[VIEWS][DIRECTIONS];  /* on the device */
    int beside[2 * PLAN_COPIES], besides;       /* the parts that it exchanges with */
    struct rounds rounds;
    int turn;               /* of signals */
    struct meeting meeting; /* of the next kernel that meets */
    /* For what passes through the host, or by NCCL, where `host` is null; null and 0 if nothing does:
     * all that this part sends, and all that arrives this way. */
    void *outbox, *inbox; /* on the device */
    void *host[DIRECTIONS];
    size_t far_bytes[DIRECTIONS];
    struct parcel *parcel; /* what NCCL carries, between the two boxes */
    int parcels;
};

/* Lists the copies from one part to another (-1: any part), in the order of the plans; returns
 * their number. */
static int find_transfers(const struct parts *p, int from, int to, struct transfer *list)
{
    int n = 0;
    for (int k = to < 0 ? 0 : to; k < (to < 0 ? p->count : to + 1); k++) {
        const struct plan plan = parts_plan(p, k);
        for (int c = 0; c < plan.copies; c++)
            if (from < 0 || plan.copy[c].part == from)
                list[n++] = (struct transfer){k, c, 0, plan.copy[c]};
    }
    return n;
}

static enum err list_transfers(const struct sim *s, struct halo *h, enum direction d)
{
    const struct parts *p = s->whole->parts;
    /* In each direction a part has one neighbour at most, and is one part's: it sends as many
     * copies as it receives. */
    h->list[d] = calloc(PLAN_COPIES, sizeof *h->list[d]);
    if (!h->list[d])
        FAIL(MEMORY, "no memory for the plan of a part");
    h->count[d] = d == PACK ? find_transfers(p, s->member, -1, h->list[d])
                            : find_transfers(p, -1, s->member, h->list[d]);
    for (int k = 0; k < h->count[d]; k++)
        h->cells[d] += plan_copy_cells(&h->list[d][k].copy);
    return ERR_OK;
}

/* Sets `far` if the sender's kernels cannot, or shall not, write to the receiver's memory. */
static enum err find_way(const struct sim *s, struct transfer *t)
{
    const struct parts *p = s->whole->parts;
    const int choice = s->config->exchange;
    const int here = parts_here(p, t->to) && parts_here(p, t->copy.part);
    t->far = p->nccl.used ? t->to != t->copy.part : !here && !p->loans.used;
    if (!here || p->nccl.used)
        return ERR_OK;
    const int reaches = s->backend->reaches(p->sim[t->copy.part]->device, p->sim[t->to]->device);
    if (!reaches && choice == EXCHANGE_PEERS)
        FAIL(ABSENT,
             "--exchange peers: the GPUs of parts %d and %d do not reach each other's "
             "memory: leave it out, and they exchange through the host",
             t->to, t->copy.part);
    t->far = !reaches || choice == EXCHANGE_HOST;
    return ERR_OK;
}

static size_t bytes_of(const struct sim *s, const struct plan_copy *c)
{
    return (size_t)plan_copy_cells(c) * (size_t)sim_exchanged(s) * s->real_size;
}

static enum err create_mailbox(struct sim *s, struct halo *h)
{
    const size_t sent = (size_t)h->cells[PACK] * (size_t)sim_exchanged(s) * s->real_size;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < h->count[d]; k++)
            TRY(find_way(s, &h->list[d][k]));
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < h->count[d]; k++)
            if (h->list[d][k].far)
                h->far_bytes[d] += d == PACK ? sent : bytes_of(s, &h->list[d][k].copy);
    h->far_bytes[PACK] = h->far_bytes[PACK] > 0 ? sent : 0;
    for (int d = 0; d < DIRECTIONS; d++)
        if (h->far_bytes[d] > 0 && !s->whole->parts->nccl.used)
            TRY(s->backend->host_alloc(s->device, h->far_bytes[d], &h->host[d]));
    if (h->far_bytes[PACK] > 0)
        TRY(sim_room(s, "halo_outbox", h->far_bytes[PACK], &h->outbox));
    return h->far_bytes[UNPACK] > 0 ? sim_room(s, "halo_inbox", h->far_bytes[UNPACK], &h->inbox)
                                    : ERR_OK;
}

enum err halo_create(struct sim *s)
{
    struct halo *h = s->halo = calloc(1, sizeof *h);
    if (!h)
        FAIL(MEMORY, "no memory for the ghost cells of a part");
    for (int d = 0; d < DIRECTIONS; d++)
        TRY(list_transfers(s, h, (enum direction)d));
    const size_t numbers = (size_t)h->cells[UNPACK] * (size_t)sim_exchanged(s);
    TRY(rounds_room(s, "halo_arrives_0", numbers, &h->arrives[0]));
    TRY(rounds_room(s, "halo_arrives_1", numbers, &h->arrives[1]));
    return rounds_create(s, "halo_rounds", &h->rounds);
}

void halo_destroy(struct sim *s)
{
    if (!s->halo)
        return;
    for (int d = 0; d < DIRECTIONS; d++) {
        free(s->halo->list[d]);
        if (s->halo->host[d])
            s->backend->host_release(s->device, s->halo->host[d]);
    }
    free(s->halo->parcel);
    free(s->halo);
    s->halo = NULL;
}

/* The offset of a copy among the numbers of all that this part sends. */
static size_t place_in_outbox(const struct sim *s, const struct transfer *t)
{
    const struct halo *h = s->halo;
    size_t before = 0;
    for (int k = 0; k < h->count[PACK]; k++) {
        const struct transfer *o = &h->list[PACK][k];
        if (o->to == t->to && o->number == t->number)
            break;
        before += (size_t)plan_copy_cells(&o->copy);
    }
    return before * (size_t)sim_exchanged(s);
}

/* The same among all that arrives at its receiver, which may be in another process. */
static size_t place_of_arrival(const struct sim *s, const struct transfer *t)
{
    const struct plan plan = parts_plan(s->whole->parts, t->to);
    size_t before = 0;
    for (int k = 0; k < t->number; k++)
        before += (size_t)plan_copy_cells(&plan.copy[k]);
    return before * (size_t)sim_exchanged(s);
}

void *halo_lent(const struct sim *s, int turn)
{
    return s->halo->arrives[turn];
}

static enum err connect(struct sim *s, enum direction d, struct halo_rect *rect)
{
    struct halo *h = s->halo;
    size_t far = 0;
    for (int k = 0; k < h->count[d]; k++) {
        const struct transfer *t = &h->list[d][k];
        if (t->far && d == PACK)
            rect[k].buffer = halo_number(s, h->outbox, place_in_outbox(s, t));
        else if (t->far)
            rect[k].buffer = (void *)((char *)h->inbox + far);
        for (int turn = 0; !t->far && turn < 2; turn++)
            rect[k].words[turn] = halo_word(s, parts_place(s, t->to, turn ? ARRIVES_1 : ARRIVES_0),
                                            place_of_arrival(s, t));
        far += t->far ? bytes_of(s, &t->copy) : 0;
        halo_way_round(s, &t->copy, &rect[k]);
        if (d == UNPACK && t->copy.around && s->system->over_bed)
            TRY(halo_levels(s, &t->copy, k, &rect[k]));
    }
    return ERR_OK;
}

/* At most this many pieces of all rectangles: each is as long as the part, or in one of its
 * corners. */
static size_t most_pieces(const struct sim *s)
{
    return (size_t)PLAN_COPIES * ((size_t)s->tiles.columns + (size_t)s->tiles.rows + 4) * 2;
}

static enum err upload_rects(struct sim *s, enum view v, enum direction d, struct halo_rect *rect)
{
    static const char *const names[VIEWS][DIRECTIONS] = {{"halo_to_send", "halo_to_receive"},
                                                         {"halo_to_send_t", "halo_to_receive_t"}};
    struct halo *h = s->halo;
    struct halo_rect *pieces = calloc(most_pieces(s), sizeof *pieces);
    if (!pieces)
        FAIL(MEMORY, "no memory for the ghost cells of a part");
    h->pieces[d] = h->wanted[d] = 0;
    for (int k = 0; k < h->count[d]; k++) {
        const struct transfer *t = &h->list[d][k];
        const struct window w = halo_wanted(s, t->to, &t->copy, d == PACK);
        rect[k].before = h->wanted[d];
        h->pieces[d] += halo_lay(s, d == PACK ? &t->copy.from : &t->copy.to, &w, v, &rect[k],
                                 pieces + h->pieces[d]);
        h->wanted[d] += w.nx * w.ny;
    }
    const enum err e =
        sim_constant(s, names[v][d], pieces, (size_t)h->pieces[d] * sizeof *pieces, &h->rect[v][d]);
    free(pieces);
    return e;
}

static void find_neighbours(const struct sim *s, struct halo *h)
{
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < h->count[d]; k++) {
            const int other = d == PACK ? h->list[d][k].to : h->list[d][k].copy.part;
            int n = 0;
            while (n < h->besides && h->beside[n] != other)
                n++;
            if (n == h->besides && other != s->member)
                h->beside[h->besides++] = other;
        }
}

/* Those of a pair of parts stand in the order of the receiver's plan in the lists of both. */
static enum err list_parcels(struct sim *s, struct halo *h)
{
    h->parcel = calloc((size_t)2 * PLAN_COPIES, sizeof *h->parcel);
    if (!h->parcel)
        FAIL(MEMORY, "no memory for the exchanges of a part");
    h->parcels = halo_parcels(s, h->parcel);
    return ERR_OK;
}

enum err halo_connect(struct sim *s)
{
    TRY(create_mailbox(s, s->halo));
    find_neighbours(s, s->halo);
    if (s->whole->parts->nccl.used)
        TRY(list_parcels(s, s->halo));
    for (int d = 0; d < DIRECTIONS; d++) {
        struct halo_rect *rect = calloc((size_t)s->halo->count[d] + 1, sizeof *rect);
        if (!rect)
            FAIL(MEMORY, "no memory for ghost cells");
        enum err e = connect(s, (enum direction)d, rect);
        for (int v = 0; v < (s->scheme->split ? VIEWS : 1) && !e; v++)
            e = upload_rects(s, (enum view)v, (enum direction)d, rect);
        free(rect);
        TRY(e);
    }
    return ERR_OK;
}

int halo_strangers(const struct parts *p, int *one, int *other)
{
    for (int k = p->first; k < p->first + p->own; k++) {
        const struct halo *h = p->sim[k]->halo;
        for (int n = 0; n < h->count[UNPACK]; n++) {
            *one = h->list[UNPACK][n].copy.part;
            *other = k;
            if (h->list[UNPACK][n].far && parts_here(p, *one))
                return 1;
        }
    }
    return 0;
}

int halo_parcels(const struct sim *s, struct parcel *list)
{
    const struct halo *h = s->halo;
    const struct parts *p = s->whole->parts;
    const int by_nccl = p->nccl.used;
    void *const box[DIRECTIONS] = {by_nccl ? h->outbox : h->host[PACK],
                                   by_nccl ? h->inbox : h->host[UNPACK]};
    int n = 0;
    size_t far = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < h->count[d]; k++) {
            const struct transfer *t = &h->list[d][k];
            const int other = d == PACK ? t->to : t->copy.part;
            if (!t->far)
                continue;
            const size_t at = d == PACK ? place_in_outbox(s, t) * s->real_size : far;
            if (list)
                list[n] = (struct parcel){.peer = by_nccl ? other : parts_rank(p, other),
                                          .tag = HALO_TAG + t->to * PLAN_COPIES + t->number,
                                          .comes = d == UNPACK,
                                          .bytes = (char *)box[d] + at,
                                          .size = bytes_of(s, &t->copy)};
            far += d == UNPACK ? bytes_of(s, &t->copy) : 0;
            n++;
        }
    return n;
}

static struct halo_rects rects_of(const struct halo *h, enum view v, enum direction d)
{
    return (struct halo_rects){h->pieces[d], h->wanted[d], h->rect[v][d]};
}

static struct exchange exchange_of(struct sim *s, int state, enum view v)
{
    const struct halo *h = s->halo;
    struct exchange with = {
        .sent = rects_of(h, v, PACK),
        .received = rects_of(h, v, UNPACK),
        .unknowns = sim_exchanged(s),
        .rise = s->rise,
        .rounds = h->rounds,
        .clock = s->clock,
    };
    sim_exchanged_first(s, state, v, with.unknown);
    return with;
}

static int most_cells(const struct halo *h)
{
    return h->wanted[PACK] > h->wanted[UNPACK] ? h->wanted[PACK] : h->wanted[UNPACK];
}

/* Blocks that send and receive have to run all at once: as many as the device has multiprocessors. */
static int threads_of(const struct sim *s, const struct halo *h, int tasks)
{
    const int most = s->backend->info(s->device)->units * s->auxiliary[HALO_KERNEL].recipe.block.w;
    const int cells = most_cells(h);
    return tasks == (SENDS | RECEIVES) && cells > most ? most : cells;
}

static enum err launch(struct sim *s, int state, enum view v, int tasks)
{
    const struct halo *h = s->halo;
    const int threads = threads_of(s, h, tasks), block = s->auxiliary[HALO_KERNEL].recipe.block.w;
    struct halo_args a = {
        .span = {threads, 1},
        .tasks = tasks,
        .with = exchange_of(s, state, v),
        .p = s->physics,
    };
    a.with.rounds.blocks = (threads + block - 1) / block;
    return sim_launch(s, &s->auxiliary[HALO_KERNEL], &a, sizeof a);
}

static enum err by_the_host(struct sim *s)
{
    const struct halo *h = s->halo;
    TRY(h->host[PACK]
            ? s->backend->download(s->device, h->host[PACK], h->outbox, h->far_bytes[PACK])
            : s->backend->sync(s->device));
    TRY(parts_meet(s, parts_carry, s->whole->parts));
    return h->inbox ? s->backend->upload(s->device, h->inbox, h->host[UNPACK], h->far_bytes[UNPACK])
                    : ERR_OK;
}

static enum err all_have_sent(void *context)
{
    (void)context;
    return ERR_OK;
}

static enum err by_signals(struct sim *s)
{
    const struct halo *h = s->halo;
    const struct parts *p = s->whole->parts;
    const int signal = SIGNAL_GHOSTS + h->turn;
    TRY(s->backend->signal(s->device, signal));
    TRY(parts_meet(s, all_have_sent, NULL));
    for (int k = 0; k < h->besides; k++)
        TRY(s->backend->await(s->device, p->sim[h->beside[k]]->device, signal));
    return ERR_OK;
}

/* Cells outside the domain, which the kernel that meets is about to fill, cannot be sent by it: a star's are not. */
static int meets(const struct sim *s)
{
    return s->whole && s->whole->parts->waiting == IN_KERNELS && s->scheme->star && !s->apron &&
           !s->tiles.columns && s->auxiliary[GHOSTS_KERNEL].recipe.meets;
}

int halo_meet(struct sim *s, int state)
{
    struct halo *h = s->halo;
    if (!meets(s))
        return 0;
    const int block = s->auxiliary[GHOSTS_KERNEL].recipe.block.w;
    const int wanted = (most_cells(h) + block - 1) / block;
    const int most = s->backend->info(s->device)->units; /* see threads_of() */
    const int blocks = wanted < most ? wanted : most;
    h->meeting = (struct meeting){.with = exchange_of(s, state, PLAIN), .workers = blocks * block};
    h->meeting.with.rounds.blocks = blocks;
    s->meeting = &h->meeting;
    return h->meeting.workers;
}

void halo_send_early(struct sim *s, int state)
{
    const int changes = s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] || s->added[SPRINGS_KERNEL];
    if (!meets(s) || (state == 0 && changes)) /* the solution does, behind the step */
        return;
    s->halo->meeting = (struct meeting){.with = exchange_of(s, state, PLAIN)};
    s->meeting = &s->halo->meeting;
}

enum err halo_begin(struct sim *s)
{
    unsigned number[ROUND_NUMBERS];
    if (!meets(s))
        return ERR_OK;
    unsigned *const there = s->halo->rounds.number;
    TRY(s->backend->download(s->device, number, there, sizeof number));
    if (!number[SENT_EARLY])
        return ERR_OK;
    number[ROUND]++;
    number[SENT_EARLY] = 0;
    return s->backend->upload(s->device, there, number, sizeof number);
}

enum err sim_exchange(struct sim *s, int state, enum view v)
{
    if (!s->whole)
        return ERR_OK;
    const enum waiting way = s->whole->parts->waiting;
    if (way == IN_KERNELS) {
        TRY(launch(s, state, v, SENDS | RECEIVES));
    } else {
        TRY(launch(s, state, v, SENDS));
        TRY(way == BY_SIGNALS ? by_signals(s)
            : way == BY_NCCL  ? nccl_exchange(s, s->halo->parcel, s->halo->parcels)
                              : by_the_host(s));
        TRY(launch(s, state, v, RECEIVES));
    }
    s->halo->turn = 1 - s->halo->turn;
    return ERR_OK;
}
