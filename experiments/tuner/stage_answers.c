/* Checks the output of a kernel against its default block's code in strict mode. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/monotonic_time.h"
#include "core/sim/balance.h"
#include "experiments/tuner/stage_parts.h"

/* Tolerance in fast mode: a multiple of the error of the default block's fast code, plus a number
 * of roundings of the largest value; that code's own error may be this share of the largest
 * value. */
static const double TIMES = 16, ROUNDINGS = 64, MOST_OFF = 0.01;

/* The distance of `got` from `want`, and the size of `want`. */
struct answer {
    double distance[3], size[3];
    double speed; /* largest wave speed over the cell size, 1/s */
    counter counters[COUNTERS];
    struct books books;
};

/* Unwritten values show: as NaNs, or (if blocks are skipped) as the values that must stay. */
static enum err prepare(struct stage *s, const struct capture *c, const struct outputs *to,
                        enum pass pass)
{
    const struct backend *b = s->sim->backend;
    struct device *dev = s->sim->device;
    const char *state[3];
    long pitch;
    memcpy(state, c->args + c->takes->in[0], sizeof state); /* of kernels that keep something */
    memcpy(&pitch, c->args + c->takes->pitch, sizeof pitch);
    for (int n = 0; n < 3; n++) {
        TRY(b->fill(dev, to->field[n], pass == ALL_BLOCKS ? 0xff : 0, s->room));
        if (pass == MOVING_BLOCKS && c->takes->keeps)
            TRY(b->copy(dev, to->field[n], state[n] - sim_first_cell(s->sim, pitch),
                        s->sim->field_bytes));
    }
    TRY(b->fill(dev, s->booked, 0, VOLUME_COUNTERS * sizeof(counter)));
    TRY(b->fill(dev, s->excess, 0, s->sim->real_size));
    TRY(b->fill(dev, s->speeds, 0xff, (size_t)s->most_blocks * s->sim->real_size));
    return b->fill(dev, s->counters, 0, COUNTERS * sizeof(counter));
}

/* Launches once and waits. The speed of a kernel that finds none stays INFINITY. */
static enum err compute(struct stage *s, struct slot *slot, const struct outputs *to,
                        struct answer *a)
{
    const struct sim *sim = s->sim;
    TRY(stage_launch(s, slot, to));
    TRY(sim->backend->sync(sim->device));
    a->speed = (double)INFINITY;
    if (slot->of->takes->speeds)
        TRY(stage_largest(s, s->speeds, (size_t)stage_blocks(slot), &a->speed));
    TRY(sim->backend->download(sim->device, a->books.sum, s->booked, sizeof a->books.sum));
    sim_volume_carry(a->books.sum);
    TRY(stage_largest(s, s->excess, 1, &a->books.excess));
    return sim->backend->download(sim->device, a->counters, s->counters, sizeof a->counters);
}

static enum err compare(struct stage *s, const struct argument_places *g, struct answer *a)
{
    for (int n = 0; n < places_out(g); n++)
        TRY(stage_compare(s, s->got.field[n], s->want.field[n], &a->distance[n], &a->size[n]));
    return ERR_OK;
}

/* Puts the reference's answer into `want`, unless it is already there. */
static enum err want(struct stage *s, struct capture *c, enum pass pass)
{
    struct answer a;
    if (s->want_of == c && s->want_pass == pass)
        return ERR_OK;
    s->want_of = NULL;
    TRY(prepare(s, c, &s->want, pass));
    TRY(compute(s, c->reference.strict, &s->want, &a));
    if (pass == ALL_BLOCKS) {
        c->reference.speed = a.speed;
        memcpy(c->reference.counters, a.counters, sizeof a.counters);
        c->reference.books = a.books;
    }
    s->want_of = c;
    s->want_pass = pass;
    return ERR_OK;
}

/* Discharges share a size: a flow along x has none along y. */
static double size_of(const struct argument_places *g, const struct answer *a, int n)
{
    return n == 0 || g->single ? a->size[n] : fmax(a->size[1], a->size[2]);
}

static enum err allow(struct stage *s, struct capture *c, const struct answer *fast)
{
    const double epsilon = s->sim->real_size == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON;
    struct reference *r = &c->reference;
    const double off = fabs(fast->speed - r->speed);
    for (int n = 0; n < places_out(c->takes); n++) {
        const double size = size_of(c->takes, fast, n);
        if (!isfinite(size) || !(fast->distance[n] <= MOST_OFF * size))
            FAIL(CHECK,
                 "%s, default block, fast mode: %s%s is off strict mode by %.1e of %.1e; that "
                 "cannot serve as a reference: tune in --mode strict, or correct the kernel",
                 c->recipe.kernel->name, c->takes->prefix,
                 s->sim->system->unknown[c->takes->unknown + n].name, fast->distance[n], size);
        r->allowed[n] = TIMES * fast->distance[n] + ROUNDINGS * epsilon * size;
    }
    r->speed_allowed = TIMES * off + ROUNDINGS * epsilon * r->speed;
    return ERR_OK;
}

/* Runs the default block in the run's mode, and records its error. */
static enum err measure_fast(struct stage *s, struct capture *c, struct recipe *r)
{
    struct answer fast;
    struct slot *slot = NULL;
    enum err e = ERR_OK;
    r->mode = FAST_MODE;
    TRY_OUT(stage_open(s, c, r, NULL, &slot));
    TRY_OUT(stage_choose(s, slot, ALL_BLOCKS));
    TRY_OUT(prepare(s, c, &s->got, ALL_BLOCKS));
    TRY_OUT(compute(s, slot, &s->got, &fast));
    TRY_OUT(compare(s, c->takes, &fast));
    TRY_OUT(allow(s, c, &fast));
out:
    stage_shut(s, slot);
    return e;
}

static struct recipe strict_recipe(const struct stage *s, const struct capture *c)
{
    struct recipe r = c->recipe;
    r.mode = STRICT;
    r.block = r.kernel->block[s->sim->backend == &backend_cuda || r.order ? CUDA : CPU];
    return r;
}

void stage_compile_references(const struct stage *s)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < s->captures; k++) {
        char path[PATH_LENGTH];
        const struct recipe r = strict_recipe(s, &s->capture[k]);
        (void)s->sim->backend->compile(s->sim->device, &r, path);
    }
}

/* Computes the reference, once for each kernel. */
static enum err know(struct stage *s, struct capture *c)
{
    struct recipe r = strict_recipe(s, c);
    enum err e = ERR_OK;
    if (c->reference.strict)
        return ERR_OK;
    TRY_OUT(stage_open(s, c, &r, NULL, &c->reference.strict));
    TRY_OUT(stage_choose(s, c->reference.strict, ALL_BLOCKS));
    TRY_OUT(want(s, c, ALL_BLOCKS));
    if (c->recipe.mode == FAST_MODE)
        TRY_OUT(measure_fast(s, c, &r));
    return ERR_OK;
out:
    stage_shut(s, c->reference.strict);
    c->reference.strict = NULL;
    return e;
}

/* The first error of an answer, "" for none. */
static void judge(const struct stage *s, const struct capture *c, const struct answer *a,
                  char *fault, size_t n)
{
    const struct reference *r = &c->reference;
    const int strict = c->recipe.mode == STRICT;
    *fault = '\0';
    for (int k = 0; k < places_out(c->takes) && !*fault; k++)
        if (!(a->distance[k] <= r->allowed[k]))
            snprintf(fault, n, "%s%s is off the strict reference by %.1e, and %.1e is allowed",
                     c->takes->prefix, s->sim->system->unknown[c->takes->unknown + k].name,
                     a->distance[k], r->allowed[k]);
    const double off = fabs(a->speed - r->speed);
    if (!*fault && a->speed != r->speed && !(off <= r->speed_allowed))
        snprintf(fault, n,
                 "the largest wave speed is off the strict reference's by %.1e 1/s, and %.1e is "
                 "allowed",
                 off, r->speed_allowed);
    for (int k = 0; k < COUNTERS && strict && !*fault; k++)
        if (a->counters[k] != r->counters[k])
            snprintf(fault, n, "it counts %lu units of depth clipped, and the strict reference %lu",
                     a->counters[k], r->counters[k]);
    const int same = memcmp(a->books.sum, r->books.sum, sizeof r->books.sum) == 0 &&
                     !(a->books.excess > r->books.excess) && !(a->books.excess < r->books.excess);
    if (strict && !*fault && !same)
        snprintf(
            fault, n, "it books %ld units and an excess of %g, and the strict reference %ld and %g",
            (long)a->books.sum[WHOLE], a->books.excess, (long)r->books.sum[WHOLE], r->books.excess);
}

/* The driver's name for what happened, else the message itself. */
static void fail_launch(struct trial *t)
{
    const char *name = strstr(err_message(), "CUDA_ERROR_");
    if (name)
        trial_fail(t, DB_LAUNCH, "%.*s", (int)strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"), name);
    else
        trial_fail(t, DB_LAUNCH, "%s", err_message());
}

/* Another call tells whether the device is still usable. */
static enum err blame(struct stage *s, struct trial *t)
{
    fail_launch(t);
    return s->sim->backend->sync(s->sim->device);
}

static enum err try_pass(struct stage *s, struct trial *t, struct slot *slot, enum pass pass)
{
    struct capture *c = slot->of;
    struct answer a;
    char fault[DB_REASON];
    TRY(want(s, c, pass));
    TRY(stage_choose(s, slot, pass));
    TRY(prepare(s, c, &s->got, pass));
    TRY(s->sim->backend->sync(s->sim->device)); /* from here on failures are the trial's */
    if (compute(s, slot, &s->got, &a))
        return blame(s, t);
    if (pass == MOVING_BLOCKS) /* in a run, a skipped block keeps its last speed */
        a.speed = c->reference.speed;
    TRY(compare(s, c->takes, &a));
    judge(s, c, &a, fault, sizeof fault);
    if (*fault)
        trial_fail(t, DB_WRONG_ANSWER, "%s%s",
                   pass == MOVING_BLOCKS ? "with resting blocks left out: " : "", fault);
    return ERR_OK;
}

static enum err look_up_facts(struct stage *s, struct trial *t, const struct slot *slot)
{
    struct kernel_facts f;
    TRY(s->sim->backend->facts(s->sim->device, slot->kernel.loaded, &f));
    t->registers = f.registers;
    t->shared_b = f.shared_b;
    t->spill_b = f.spill_b;
    t->occupancy = f.occupancy;
    return ERR_OK;
}

static enum err open_trial(struct stage *s, struct capture *c, struct trial *t, struct slot **slot)
{
    const double began = seconds();
    const enum err e = stage_open(s, c, &t->recipe, t->path, slot);
    t->load_ms = 1e3 * (seconds() - began);
    if (!e)
        return look_up_facts(s, t, *slot);
    if (e == ERR_MEMORY)
        return e;
    if (e == ERR_LIMIT) { /* "what: the limit; what to do about it" */
        const char *text = strstr(err_message(), ": ");
        text = text ? text + 2 : err_message();
        trial_fail(t, DB_CONSTRAINT, "%.*s", (int)strcspn(text, ";"), text);
        return ERR_OK;
    }
    return blame(s, t);
}

static enum err admit(struct stage *s, struct capture *c, struct trial *t, struct slot **slot)
{
    TRY(know(s, c));
    TRY(open_trial(s, c, t, slot));
    const double began = seconds();
    enum err e = ERR_OK;
    for (int pass = ALL_BLOCKS; pass <= MOVING_BLOCKS && !e && t->outcome == DB_OK; pass++)
        if (pass == ALL_BLOCKS || (*slot)->wet.skip)
            e = try_pass(s, t, *slot, (enum pass)pass);
    t->measure_ms = (isnan(t->measure_ms) ? 0 : t->measure_ms) + 1e3 * (seconds() - began);
    return e;
}

/* A place for it, and the trial's handle. */
static enum err take_place(struct stage *s, struct slot *slot, int *handle)
{
    int n = 0;
    while (n < MOST_LOADED && s->slot[n])
        n++;
    if (n == MOST_LOADED)
        FAIL(MEMORY, "a stage has room for %d loaded kernels: drop some", MOST_LOADED);
    s->slot[n] = slot;
    *handle = n + 1;
    return ERR_OK;
}

enum err stage_admit(struct stage *s, struct trial *t)
{
    struct capture *c = stage_capture(s, t->recipe.kernel);
    struct slot *slot = NULL;
    if (!c)
        FAIL(CHECK, "a stage of scheme %s does not launch kernel %s", s->config.scheme,
             t->recipe.kernel->name);
    t->loaded = 0; /* a handle from an earlier stage means nothing here */
    enum err e = admit(s, c, t, &slot);
    if (!e && t->outcome == DB_OK)
        e = take_place(s, slot, &t->loaded);
    if (!t->loaded)
        stage_shut(s, slot);
    return e;
}

void stage_drop(struct stage *s, struct trial *t)
{
    if (t->loaded < 1 || t->loaded > MOST_LOADED)
        return;
    stage_shut(s, s->slot[t->loaded - 1]);
    s->slot[t->loaded - 1] = NULL;
    t->loaded = 0;
}
