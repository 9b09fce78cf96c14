/* When parts exchange by NCCL; and what becomes of the others when one of them, or a process, is lost:
 * kernels on its neighbours' GPUs wait for it, those of NCCL without end, so the thread that waits for
 * the parts looks around meanwhile, and ends it. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/monotonic_time.h"
#include "core/base/output_file.h"
#include "core/device/mates.h"
#include "core/device/nccl_api.h"
#include "core/sim/parts.h"

static const double LOOKS = 0.05; /* s between two */

enum err parts_any(struct parts *p, int here, int *there)
{
    unsigned long flag = here != 0;
    TRY(parts_largest(p, &flag));
    *there = flag != 0;
    return ERR_OK;
}

int parts_reach(const struct sim *whole)
{
    const struct parts *p = whole->parts;
    for (int k = p->first; k < p->first + p->own; k++)
        for (int other = p->first; other < p->first + p->own; other++)
            if (!whole->backend->reaches(p->sim[k]->device, p->sim[other]->device))
                return 0;
    return 1;
}

/* Where cells would otherwise pass through the host. Between hosts only if asked for, as there NCCL
 * depends on how their networks are set up. */
static enum err is_of_use(const struct sim *whole, int *use)
{
    struct parts *p = whole->parts;
    const int choice = whole->config->exchange;
    int far = 0;
    *use = choice == EXCHANGE_NCCL;
    if (choice != EXCHANGE_AUTO || whole->backend != &backend_cuda || p->loans.used)
        return ERR_OK;
    if (p->ranks)
        TRY(parts_any(p, ranks_crew(p->ranks)->neighbours < ranks_crew(p->ranks)->ranks, &far));
    *use = p->ranks ? !far : !parts_reach(whole);
    return ERR_OK;
}

/* Sets `why_not`, in all processes or none. What is insisted on is an error. */
static enum err find_obstacle(struct sim *whole)
{
    struct parts *p = whole->parts;
    struct nccl_use *u = &p->nccl;
    const int insists = whole->config->exchange == EXCHANGE_NCCL;
    int shared, absent;
    TRY(parts_any(p, p->of_device > 1, &shared));
    if (shared)
        snprintf(u->why_not, sizeof u->why_not,
                 "parts share a GPU, and NCCL needs one for each of them");
    if (shared && insists)
        FAIL(ABSENT, "--exchange nccl: %s: name as many by --devices, or omit it", u->why_not);
    if (shared)
        return ERR_OK;
    const int here = nccl_api_open(u->why_not, sizeof u->why_not);
    if (!here && insists)
        FAIL(ABSENT, "--exchange nccl: %s; or omit it", u->why_not);
    TRY(parts_any(p, !here, &absent));
    if (absent && here)
        snprintf(u->why_not, sizeof u->why_not, "another process has no NCCL");
    return ERR_OK;
}

/* The first process's. */
static enum err spread(struct parts *p, struct mates_invitation *to)
{
    struct mates_invitation all[MOST_PARTS];
    if (p->first == 0)
        TRY(mates_invite(to));
    if (!p->ranks)
        return ERR_OK;
    TRY(ranks_gather(p->ranks, to, sizeof *to, all));
    *to = all[0];
    return ERR_OK;
}

static int takes_from(const struct parts *p, int part, int other)
{
    const struct plan plan = parts_plan(p, part);
    int takes = 0;
    for (int k = 0; k < plan.copies; k++)
        takes |= plan.copy[k].part == other;
    return takes;
}

/* Eight bytes to and from each part that this one exchanges with, and a reduction. */
static enum err exchange_greetings(struct sim *s)
{
    enum { MOST = 4 * PLAN_COPIES };
    const size_t each = 8;
    const struct parts *p = s->whole->parts;
    struct parcel list[MOST];
    void *room;
    int n = 0;
    TRY(sim_room(s, "nccl_greetings", (MOST + 1) * each, &room));
    TRY(s->backend->fill(s->device, room, 0, (MOST + 1) * each));
    for (int other = 0; other < p->count; other++)
        for (int comes = 0; comes < 2 && other != s->member; comes++)
            if (takes_from(p, s->member, other) || takes_from(p, other, s->member)) {
                list[n] = (struct parcel){.peer = other, .comes = comes, .size = each};
                list[n].bytes = (char *)room + (size_t)n * each;
                n++;
            }
    TRY(nccl_exchange(s, list, n));
    TRY(nccl_largest(s, (char *)room + (size_t)n * each));
    return s->backend->sync(s->device);
}

/* NCCL connects GPUs only when they first need each other, which takes as long as a hundred steps, and may fail. */
static enum err greet(struct sim *s, void *context)
{
    (void)context;
    nccl_note(s, seconds());
    enum err e = exchange_greetings(s);
    nccl_note(s, 0);
    e = e ? e : nccl_lost(s);
    if (e)
        __atomic_store_n(&s->whole->parts->nccl.failed, e, __ATOMIC_RELEASE);
    return e;
}

/* Of several processes one says why: the others give it time. */
static void end_process(const struct parts *p, enum err e)
{
    static const struct timespec second = {.tv_sec = 1};
    if (!p->ranks || ranks_speaks(p->ranks))
        fprintf(stderr, "shoal: error: %s\n", err_message());
    else
        nanosleep(&second, NULL);
    outfile_delete_temporaries();
    _exit(err_status(e));
}

static enum err not_connected(const struct sim *whole)
{
    FAIL(MACHINE,
         "NCCL has not connected the GPUs within %g s (--exchange-timeout); NCCL_DEBUG=WARN in the "
         "environment shows why",
         whole->config->exchange_timeout);
}

/* To join is a call that waits without end for a process that is gone, and that nothing calls off. */
static void watch_joining(void *context)
{
    const struct sim *const whole = context;
    const struct parts *p = whole->parts;
    if (p->nccl.joining <= 0)
        return;
    enum err e = p->ranks ? ranks_look(p->ranks) : ERR_OK;
    if (!e && seconds() - p->nccl.joining > whole->config->exchange_timeout)
        e = not_connected(whole);
    if (e)
        end_process(p, e);
}

static enum err join_part(struct sim *s, void *context)
{
    return mates_join(&s->mates, s->device, context, s->whole->parts->count, s->member);
}

/* Others may wait on its GPU. */
static enum err leave_part(struct sim *s, void *context)
{
    (void)context;
    if (s->mates)
        mates_give_up(s->mates);
    mates_leave(s->mates);
    s->mates = NULL;
    return ERR_OK;
}

/* All parts do something, or `any` says that one could not. */
static enum err all_or_none(struct sim *whole, part_work *work, void *context, int *any)
{
    struct nccl_use *u = &whole->parts->nccl;
    const enum err e = parts_do(whole, work, context);
    snprintf(u->why_not, sizeof u->why_not, "%s",
             e ? err_message() : "another process could not join");
    return parts_any(whole->parts, e != ERR_OK, any);
}

/* Where NCCL was not insisted on, cells pass through the host if it fails. */
static enum err join_all(struct sim *whole, struct mates_invitation *to)
{
    struct parts *p = whole->parts;
    struct nccl_use *u = &p->nccl;
    int any;
    team_watch(p->team, watch_joining, whole, LOOKS);
    u->joining = seconds();
    const enum err joined = all_or_none(whole, join_part, to, &any);
    u->joining = 0;
    TRY(joined);
    u->used = !any;
    if (u->used) {
        nccl_begin_steps(p);
        const enum err e = all_or_none(whole, greet, NULL, &any);
        nccl_end_steps(p, e);
        TRY(e);
        if (u->lost) /* seen after the last part had looked */
            snprintf(u->why_not, sizeof u->why_not, "%s", u->message);
        TRY(parts_any(p, any || u->lost, &any));
    }
    u->used = !any;
    if (u->used) {
        *u->why_not = '\0';
        return ERR_OK;
    }
    u->failed = u->lost = ERR_OK;
    rounds_abandon(p, 0);
    TRY(parts_do(whole, leave_part, NULL));
    if (whole->config->exchange == EXCHANGE_NCCL)
        FAIL(MACHINE, "--exchange nccl: %s", u->why_not);
    return ERR_OK;
}

void nccl_note(struct sim *s, double since)
{
    __atomic_store(&s->awaiting, &since, __ATOMIC_RELAXED);
}

/* Has a part waited too long? */
static enum err look_at_part(const struct sim *s)
{
    double since;
    __atomic_load(&s->awaiting, &since, __ATOMIC_RELAXED);
    if (!s->mates) /* kernels of ours have a limit of their own */
        return ERR_OK;
    TRY(mates_look(s->mates));
    const int late = since > 0 && seconds() - since > s->config->exchange_timeout;
    if (late && !s->whole->parts->connected)
        return not_connected(s->whole);
    if (late)
        FAIL(MACHINE,
             "a part has waited for another one for %g s (--exchange-timeout), after step %lu: its "
             "GPU or its process does not answer; restart from the last checkpoint",
             s->config->exchange_timeout, s->now.steps);
    return ERR_OK;
}

static enum err look_at_all(const struct parts *p)
{
    const enum err failed = __atomic_load_n(&p->nccl.failed, __ATOMIC_ACQUIRE);
    if (failed) /* the team reports that one's message */
        return err_set(failed, __FILE__, __LINE__, "another part has failed");
    if (p->ranks)
        TRY(ranks_look(p->ranks));
    for (int k = p->first; k < p->first + p->own; k++)
        TRY(look_at_part(p->sim[k]));
    return ERR_OK;
}

static void watch(void *context)
{
    struct parts *p = context;
    struct nccl_use *u = &p->nccl;
    const enum err e = u->stepping && !u->lost ? look_at_all(p) : ERR_OK;
    if (!e)
        return;
    snprintf(u->message, sizeof u->message, "%s", err_message());
    __atomic_store_n(&u->lost, e, __ATOMIC_RELEASE);
    rounds_abandon(p, 1);
    for (int k = p->first; u->used && k < p->first + p->own; k++)
        mates_give_up(p->sim[k]->mates);
}

void nccl_begin_steps(struct parts *p)
{
    team_watch(p->team, watch, p, LOOKS);
    p->nccl.failed = ERR_OK;
    p->nccl.stepping = p->nccl.used || p->loans.used;
}

void nccl_end_steps(struct parts *p, enum err e)
{
    char message[sizeof p->nccl.message];
    if (e && p->nccl.failed) {
        snprintf(message, sizeof message, "%s", err_message());
        watch(p);
        err_keep(e, __FILE__, __LINE__, "%s", message);
    }
    p->nccl.stepping = 0;
}

enum err nccl_choose(struct sim *whole)
{
    struct parts *p = whole->parts;
    struct mates_invitation to = {{0}};
    int use;
    TRY(is_of_use(whole, &use));
    if (!use)
        return ERR_OK;
    TRY(find_obstacle(whole));
    if (*p->nccl.why_not)
        return ERR_OK;
    TRY(spread(p, &to));
    return join_all(whole, &to);
}

enum err nccl_lost(const struct sim *s)
{
    const struct nccl_use *u = s->whole ? &s->whole->parts->nccl : NULL;
    const enum err e = u ? __atomic_load_n(&u->lost, __ATOMIC_ACQUIRE) : ERR_OK;
    return e ? err_set(e, __FILE__, __LINE__, "%s", u->message) : ERR_OK;
}

/* A call that was under way fails, too, but why is known already. */
enum err nccl_exchange(struct sim *s, const struct parcel *p, int n)
{
    const enum err e = mates_carry(s->mates, p, n);
    TRY(nccl_lost(s));
    return e;
}

enum err nccl_largest(struct sim *s, void *pattern)
{
    const enum err e = mates_largest(s->mates, pattern, s->real_size);
    TRY(nccl_lost(s));
    return e;
}
