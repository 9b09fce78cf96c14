/* Orders from the first process of a run to the others. */
#include "core/sim/orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim/sim_parts.h"

enum order_kind { ORDER_CALL, ORDER_STEP, ORDER_GO_ON, ORDER_END };
enum { TAG_ORDER = ORDER_TAG, TAG_ANSWER };

struct order {
    enum order_kind kind;
    int part;
    enum err error; /* of ORDER_GO_ON and ORDER_END */
    struct part_call call;
    struct course course;
    char message[512];
};

struct answer {
    enum err error;
    char message[512];
    struct course_end end;
};

static part_call_work *const works[CALLS] = {
    [CALL_READ] = call_read,     [CALL_WRITE] = call_write,   [CALL_DOWNLOAD] = call_download,
    [CALL_UPLOAD] = call_upload, [CALL_GAUGES] = call_gauges, [CALL_SAMPLES] = call_samples,
    [CALL_VOLUME] = call_volume,
};

static enum err send(struct ranks *r, int to, int tag, const void *bytes, size_t size)
{
    const struct parcel p = {.peer = to, .tag = tag, .bytes = (void *)(size_t)bytes, .size = size};
    return ranks_carry(r, &p, 1);
}

static enum err receive(struct ranks *r, int from, int tag, void *bytes, size_t size)
{
    const struct parcel p = {.peer = from, .tag = tag, .comes = 1, .bytes = bytes, .size = size};
    return ranks_carry(r, &p, 1);
}

static enum err order(struct ranks *r, int to, const struct order *o)
{
    TRY(send(r, to, TAG_ORDER, o, sizeof *o));
    if (o->kind == ORDER_CALL && o->call.in_bytes > 0)
        return send(r, to, TAG_ORDER, o->call.in, o->call.in_bytes);
    return ERR_OK;
}

static enum err order_all(struct ranks *r, const struct order *o)
{
    for (int k = 1; k < ranks_crew(r)->ranks; k++)
        TRY(order(r, k, o));
    return ERR_OK;
}

static enum err take_answer(struct ranks *r, int from, struct answer *a)
{
    TRY(receive(r, from, TAG_ANSWER, a, sizeof *a));
    return a->error ? err_set(a->error, __FILE__, __LINE__, "%s", a->message) : ERR_OK;
}

enum err parts_call(struct sim *whole, int k, const struct part_call *c)
{
    const struct parts *p = whole->parts;
    const int rank = parts_rank(p, k);
    const struct order o = {.kind = ORDER_CALL, .part = k, .call = *c};
    struct answer a;
    if (parts_here(p, k))
        return works[c->kind](p->sim[k], c);
    TRY(order(p->ranks, rank, &o));
    TRY(take_answer(p->ranks, rank, &a));
    return c->out_bytes ? receive(p->ranks, rank, TAG_ANSWER, c->out, c->out_bytes) : ERR_OK;
}

enum err orders_step(struct sim *whole, const struct course *c)
{
    const struct order o = {.kind = ORDER_STEP, .course = *c};
    return whole->parts->ranks ? order_all(whole->parts->ranks, &o) : ERR_OK;
}

static void add_course(struct course_end *sum, const struct course_end *end)
{
    sum->wall = end->wall > sum->wall ? end->wall : sum->wall;
    sum->stopped |= end->stopped;
    for (int k = 0; k < COUNTERS; k++)
        sum->counters[k] += end->counters[k];
}

/* All answer, whatever the first one reports. */
enum err orders_stepped(struct sim *whole, struct course_end *sum)
{
    struct ranks *r = whole->parts->ranks;
    struct answer worst = {0}, a;
    for (int k = 1; r && k < ranks_crew(r)->ranks; k++) {
        a.error = ERR_OK;
        const enum err e = take_answer(r, k, &a);
        if (e && !a.error)
            return e;
        add_course(sum, &a.end);
        if (err_status(a.error) > err_status(worst.error))
            worst = a;
    }
    return worst.error ? err_set(worst.error, __FILE__, __LINE__, "%s", worst.message) : ERR_OK;
}

static struct answer answer_of(enum err e)
{
    struct answer a = {.error = e};
    if (e)
        snprintf(a.message, sizeof a.message, "%s", err_message());
    return a;
}

static enum err do_call(struct parts *p, const struct order *o, void *in, void *out)
{
    struct part_call c = o->call;
    c.in = c.in_bytes ? in : NULL;
    c.out = out;
    if (c.in_bytes)
        TRY(receive(p->ranks, 0, TAG_ORDER, in, c.in_bytes));
    struct answer a = answer_of(works[c.kind](p->sim[o->part], &c));
    TRY(send(p->ranks, 0, TAG_ANSWER, &a, sizeof a));
    return c.out_bytes && !a.error ? send(p->ranks, 0, TAG_ANSWER, out, c.out_bytes) : ERR_OK;
}

static enum err obey_call(struct sim *whole, const struct order *o)
{
    void *in = malloc(o->call.in_bytes + 1), *out = calloc(o->call.out_bytes + 1, 1);
    const enum err e = in && out ? do_call(whole->parts, o, in, out)
                                 : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                           "no memory for what part %d is asked", o->part);
    free(in);
    free(out);
    return e;
}

static enum err obey_step(struct sim *whole, const struct order *o,
                          int (*progress)(const struct sim *))
{
    struct course_end end = {0};
    whole->now = o->course.now;
    whole->t_end = o->course.t_end;
    whole->passes = o->course.passes;
    struct answer a =
        answer_of(parts_step_here(whole, &o->course, o->course.watched ? progress : NULL, &end));
    a.end = end;
    a.end.stopped |= o->course.watched && progress(whole);
    return send(whole->parts->ranks, 0, TAG_ANSWER, &a, sizeof a);
}

static int go_on(const struct sim *s)
{
    (void)s;
    return 0;
}

/* Obeys orders until one ends the loop, with its error. The first process may be busy for long,
 * writing files. */
static enum err obey(struct sim *whole, int (*progress)(const struct sim *), int *end)
{
    struct ranks *r = whole->parts->ranks;
    struct order o;
    for (;;) {
        ranks_unhurried(r, 1);
        const enum err e = receive(r, 0, TAG_ORDER, &o, sizeof o);
        ranks_unhurried(r, 0);
        TRY(e);
        *end = o.kind == ORDER_END;
        if (o.kind == ORDER_GO_ON || *end)
            return o.error ? err_set(o.error, __FILE__, __LINE__, "%s", o.message) : ERR_OK;
        TRY(o.kind == ORDER_CALL ? obey_call(whole, &o) : obey_step(whole, &o, progress));
    }
}

static void end_all(struct sim *whole, enum err e)
{
    if (!e)
        loans_end(whole);
    ranks_end(whole->parts->ranks, e);
}

int sim_leads(const struct sim *s)
{
    return !s->parts || s->parts->first == 0;
}

enum err sim_obey(struct sim *whole, int (*progress)(const struct sim *))
{
    int end = 0;
    const enum err e = obey(whole, progress ? progress : go_on, &end);
    if (end)
        end_all(whole, e);
    return e;
}

static enum err let_go(struct ranks *r, enum order_kind kind, enum err e)
{
    struct order o = {.kind = kind, .error = e};
    if (e)
        snprintf(o.message, sizeof o.message, "%s", err_message());
    TRY(order_all(r, &o));
    return e ? err_set(e, __FILE__, __LINE__, "%s", o.message) : ERR_OK;
}

enum err sim_dismiss(struct sim *whole, enum err e)
{
    struct ranks *r = whole->parts ? whole->parts->ranks : NULL;
    if (!r || whole->parts->dismissed)
        return e;
    whole->parts->dismissed = 1;
    const enum err told = let_go(r, ORDER_END, e);
    end_all(whole, told);
    return told;
}

enum err orders_lead(struct parts *p, team_decision *work, void *context)
{
    int end = 0;
    if (!p->ranks)
        return work(context);
    const enum err e = ranks_crew(p->ranks)->rank == 0
                           ? let_go(p->ranks, ORDER_GO_ON, work(context))
                           : obey(p->sim[p->first]->whole, go_on, &end);
    p->agreed |= e != ERR_OK;
    return e;
}

enum err parts_largest(struct parts *p, unsigned long *number)
{
    return p->ranks ? ranks_largest(p->ranks, number) : ERR_OK;
}
