/* The common decisions of all parts: the largest wave speed, and choices of the first part. Each
 * part has a board on its device with a place for every part's largest wave speed; the kernels that
 * choose a time step take the largest of these. Parts write to all boards themselves if their
 * devices reach each other's memory; otherwise the host brings a single number. Boards alternate,
 * like the buffers of exchanges (core/sim/halo.c), and devices wait for each other as there. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/halo.h"
#include "core/sim/parts.h"
#include "kernels/halo.h"

struct boards {
    void *own; /* on the device: two boards, and a place for the host's number */
    bits **
        mine; /* on the device: this part's places on all boards of this turn, of the next; then the
               * host's place */
    int turn, near;
    unsigned *flags; /* on the device */
    struct flags meeting;
};

enum err boards_create(struct sim *s)
{
    const size_t places = 2 * (size_t)s->whole->parts->count + 1;
    s->boards = calloc(1, sizeof *s->boards);
    if (!s->boards)
        FAIL(MEMORY, "no memory for what a part knows of the others");
    TRY(flags_create(s, "largest_flags", &s->boards->flags));
    return sim_room(s, "largest_speeds", places * s->real_size, &s->boards->own);
}

static void *place(const struct sim *s, int k)
{
    return (char *)s->boards->own + (size_t)k * s->real_size;
}

/* Parts of other processes are unknown here. */
static int reaches_all(const struct sim *s)
{
    const struct parts *p = s->whole->parts;
    for (int k = 0; k < p->count; k++)
        if (!parts_here(p, k) || !s->backend->reaches(s->device, p->sim[k]->device))
            return 0;
    return 1;
}

enum err boards_connect(struct sim *s)
{
    const struct parts *p = s->whole->parts;
    const int n = p->count;
    void **mine = calloc(2 * (size_t)n + 1, sizeof *mine);
    if (!mine)
        FAIL(MEMORY, "no memory for what a part knows of the others");
    s->boards->near = reaches_all(s);
    for (int k = 0; s->boards->near && k < 2 * n; k++)
        mine[k] = place(p->sim[k % n], k / n * n + s->member);
    mine[2 * n] = place(s, 2 * n);
    const enum err e = sim_constant(s, "largest_speed_places", mine,
                                    (2 * (size_t)n + 1) * sizeof *mine, &s->boards->mine);
    free(mine);
    return e;
}

/* The flags of all other parts' boards. */
enum err boards_link(struct sim *s)
{
    const struct parts *p = s->whole->parts;
    struct boards *b = s->boards;
    int others[MOST_PARTS], n = 0;
    unsigned *there[MOST_PARTS];
    for (int k = 0; k < p->count; k++)
        if (k != s->member) {
            others[n] = k;
            there[n++] = p->sim[k]->boards->flags;
        }
    return flags_link(s, "largest_flags_of", b->flags, others, there, n, &b->meeting);
}

void boards_destroy(struct sim *s)
{
    free(s->boards);
    s->boards = NULL;
}

int boards_near(const struct parts *p)
{
    int near = !p->ranks && !parts_carried(p);
    for (int k = 0; near && k < p->count; k++)
        near = p->sim[k]->boards->near;
    return near;
}

/* As bit patterns: NaN is larger than all numbers. */
static enum err find_fastest(void *context)
{
    struct parts *p = context;
    p->fastest = 0;
    for (int k = p->first; k < p->first + p->own; k++)
        p->fastest = p->speed[k] > p->fastest ? p->speed[k] : p->fastest;
    return parts_largest(p, &p->fastest);
}

static unsigned long pattern_of(const struct sim *s, const void *from)
{
    unsigned long wide;
    unsigned narrow;
    if (s->real_size == sizeof wide)
        return memcpy(&wide, from, sizeof wide), wide;
    return memcpy(&narrow, from, sizeof narrow), narrow;
}

/* The part writes its own directly into the place of the overall maximum. */
static enum err by_the_host(struct sim *s, void *largest)
{
    struct parts *p = s->whole->parts;
    unsigned char own[sizeof(double)], all[sizeof(double)];
    TRY(s->backend->download(s->device, own, largest, s->real_size));
    p->speed[s->member] = pattern_of(s, own);
    TRY(parts_meet(s, find_fastest, p));
    const unsigned narrow = (unsigned)p->fastest;
    memcpy(all, s->real_size == sizeof p->fastest ? (const void *)&p->fastest : &narrow,
           s->real_size);
    return s->backend->upload(s->device, largest, all, s->real_size);
}

static enum err all_are_on_the_boards(void *context)
{
    (void)context;
    return ERR_OK;
}

static enum err by_signals(struct sim *s)
{
    const struct parts *p = s->whole->parts;
    const int signal = SIGNAL_SPEEDS + s->boards->turn;
    TRY(s->backend->signal(s->device, signal));
    TRY(parts_meet(s, all_are_on_the_boards, NULL));
    for (int k = 0; k < p->count; k++)
        if (k != s->member)
            TRY(s->backend->await(s->device, p->sim[k]->device, signal));
    return ERR_OK;
}

/* All parts write to all boards, and wait for each other. */
static enum err by_the_boards(struct sim *s, struct largest_args *a)
{
    const enum waiting way = s->whole->parts->waiting;
    struct sim_kernel *const kernel = &s->auxiliary[LARGEST_KERNEL];
    a->tasks |= way == BY_SIGNALS ? 0 : way == BY_FLAGS ? RAISES : RAISES | AWAITS;
    TRY(sim_launch(s, kernel, a, sizeof *a));
    if (way != BY_FLAGS_IN_KERNELS)
        TRY(by_signals(s));
    a->tasks = AWAITS;
    if (way == BY_FLAGS)
        TRY(sim_launch(s, kernel, a, sizeof *a));
    s->boards->turn = 1 - s->boards->turn;
    return ERR_OK;
}

enum err sim_fastest(struct sim *s, int *blocks, const bits **block_speed)
{
    if (!s->whole)
        return ERR_OK;
    const struct parts *p = s->whole->parts;
    const int direct = p->waiting != BY_THE_HOST;
    const int first = direct ? s->boards->turn * p->count : 2 * p->count;
    struct largest_args a = {.span = {1, 1},
                             .tasks = PACKS,
                             .blocks = *blocks,
                             .boards = direct ? p->count : 1,
                             .block_speed = *block_speed,
                             .board = (bits *const *)s->boards->mine + first,
                             .flags = s->boards->meeting,
                             .clock = s->clock,
                             .p = s->physics};
    *blocks = a.boards;
    *block_speed = place(s, first);
    if (direct)
        return by_the_boards(s, &a);
    TRY(sim_launch(s, &s->auxiliary[LARGEST_KERNEL], &a, sizeof a));
    return by_the_host(s, place(s, first));
}

static enum err agree(void *context)
{
    struct parts *p = context;
    unsigned long flag = p->first == 0 ? (unsigned long)p->flag : 0;
    TRY(parts_largest(p, &flag));
    p->flag = (int)flag;
    return ERR_OK;
}

enum err sim_agree(struct sim *s, int *flag)
{
    if (!s->whole)
        return ERR_OK;
    struct parts *p = s->whole->parts;
    if (s->member == 0)
        p->flag = *flag;
    TRY(parts_meet(s, agree, p));
    *flag = p->flag;
    return ERR_OK;
}
