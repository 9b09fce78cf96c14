/* The common decisions of all parts: the largest wave speed, and choices of the first part. Parts
 * whose devices reach each other's memory send theirs to the boards of all, and each takes the largest
 * of its own board; otherwise NCCL or the host brings that number. Boards alternate, like the buffers of
 * exchanges (core/sim/halo.c), and devices wait for each other as there. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/halo.h"
#include "core/sim/parts.h"
#include "kernels/meeting.h"

struct boards {
    word *own[2];     /* on the device: a place for each part */
    word **places[2]; /* on the device: this part's places on all boards */
    bits *largest;    /* on the device, of all parts */
    struct rounds rounds;
    int near, turn;         /* of signals */
    struct meeting meeting; /* of the kernel that chooses the time step */
};

enum err boards_create(struct sim *s)
{
    static const char *const names[] = {"largest_board_0", "largest_board_1"};
    struct boards *const b = s->boards = calloc(1, sizeof *b);
    if (!b)
        FAIL(MEMORY, "no memory for what a part knows of the others");
    for (int turn = 0; turn < 2; turn++) {
        void *p;
        TRY(rounds_room(s, names[turn], (size_t)s->whole->parts->count, &p));
        b->own[turn] = p;
    }
    TRY(rounds_create(s, "largest_rounds", &b->rounds));
    b->rounds.blocks = 1;
    void *p;
    TRY(sim_room(s, "largest", s->real_size, &p));
    b->largest = p;
    return ERR_OK;
}

void *boards_lent(const struct sim *s, int turn)
{
    return s->boards->own[turn];
}

/* Parts of other processes lend theirs, or are unknown here. */
static int reaches_all(const struct sim *s)
{
    const struct parts *p = s->whole->parts;
    for (int k = 0; k < p->count; k++)
        if (parts_here(p, k) ? !s->backend->reaches(s->device, p->sim[k]->device) : !p->loans.used)
            return 0;
    return 1;
}

enum err boards_connect(struct sim *s)
{
    static const char *const names[] = {"largest_places_0", "largest_places_1"};
    const struct parts *p = s->whole->parts;
    const size_t words = s->real_size / sizeof(float);
    s->boards->near = reaches_all(s);
    for (int turn = 0; s->boards->near && turn < 2; turn++) {
        word *place[MOST_PARTS];
        for (int k = 0; k < p->count; k++)
            place[k] =
                (word *)parts_place(s, k, turn ? BOARD_1 : BOARD_0) + (size_t)s->member * words;
        TRY(sim_constant(s, names[turn], place, (size_t)p->count * sizeof *place,
                         &s->boards->places[turn]));
    }
    return ERR_OK;
}

void boards_destroy(struct sim *s)
{
    free(s->boards);
    s->boards = NULL;
}

int boards_near(const struct parts *p)
{
    int near = !parts_carried(p) && (!p->ranks || p->loans.used);
    for (int k = p->first; near && k < p->first + p->own; k++)
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

static struct boards_of_speeds on_boards(const struct sim *s)
{
    const struct parts *p = s->whole->parts;
    const struct boards *b = s->boards;
    const int direct = p->waiting == IN_KERNELS || p->waiting == BY_SIGNALS;
    return (struct boards_of_speeds){.parts = direct ? p->count : 0,
                                     .boards = {b->places[0], b->places[1]},
                                     .board = {b->own[0], b->own[1]},
                                     .rounds = b->rounds};
}

enum err sim_fastest(struct sim *s, int *blocks, const bits **block_speed)
{
    struct sim_kernel *const kernel = &s->auxiliary[LARGEST_KERNEL];
    if (!s->whole)
        return ERR_OK;
    const struct parts *p = s->whole->parts;
    struct boards *const b = s->boards;
    struct largest_args a = {.span = {1, 1},
                             .tasks = SENDS,
                             .blocks = *blocks,
                             .block_speed = *block_speed,
                             .on = on_boards(s),
                             .largest = b->largest,
                             .clock = s->clock,
                             .p = s->physics};
    if (p->waiting == IN_KERNELS && s->auxiliary[CLOCK_KERNEL].recipe.meets) {
        b->meeting = (struct meeting){.on = a.on};
        s->meeting = &b->meeting;
        return ERR_OK;
    }
    if (p->waiting == IN_KERNELS)
        a.tasks |= RECEIVES;
    *blocks = 1;
    *block_speed = b->largest;
    TRY(sim_launch(s, kernel, &a, sizeof a));
    if (p->waiting == BY_THE_HOST)
        return by_the_host(s, b->largest);
    if (p->waiting == BY_NCCL)
        return nccl_largest(s, b->largest);
    a.tasks = RECEIVES;
    if (p->waiting == BY_SIGNALS) {
        TRY(by_signals(s));
        TRY(sim_launch(s, kernel, &a, sizeof a));
        b->turn = 1 - b->turn;
    }
    return ERR_OK;
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
