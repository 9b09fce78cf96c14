/* Alternation of schemes: for the length of a pass, what belongs to one scheme in a sim changes
 * places with what belongs to the other, so that neither scheme knows of it. */
#include "core/sim/alternation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/sim/cycle.h"
#include "core/sim/kernels.h"
#include "core/sim/parts.h"
#include "core/sim/sim_parts.h"

/* The scheme with early exit that the thesis uses. */
#define OTHER_SCHEME "rk2"

/* Early exit gains nothing on fewer cells. On a small domain a GPU launches many passes at once,
 * which it cannot do if each may be by another scheme; there alternation costs more. */
enum { SMALL = 256 * 256, SMALL_ON_GPU = 1024 * 1024 };

struct alternation {
    const struct scheme *scheme; /* the idle one; between passes the other one */
    struct sim_kernel kernels[SCHEME_KERNELS];
    long speed_offset[SCHEME_KERNELS];
    bits *block_speed;
    struct sim_kernel clock; /* used if the two have different clocks */
    int clocks;
    struct cycle cycle;
    int ready;        /* the other scheme has all that it needs */
    int with, before; /* the current pass is by the other scheme; the one before was */
};

static void swap_bytes(void *a, void *b, size_t n)
{
    unsigned char was[256];
    for (size_t at = 0, some; at < n; at += some) {
        some = n - at < sizeof was ? n - at : sizeof was;
        memcpy(was, (char *)a + at, some);
        memcpy((char *)a + at, (char *)b + at, some);
        memcpy((char *)b + at, was, some);
    }
}

static void change_places(struct sim *s)
{
    struct alternation *a = s->alternation;
    swap_bytes(&s->scheme, &a->scheme, sizeof(void *));
    swap_bytes(s->kernels, a->kernels, sizeof a->kernels);
    swap_bytes(s->speed_offset, a->speed_offset, sizeof a->speed_offset);
    swap_bytes(&s->block_speed, &a->block_speed, sizeof(void *));
    if (a->clocks)
        swap_bytes(&s->auxiliary[CLOCK_KERNEL], &a->clock, sizeof a->clock);
}

static const char *clock_of(const struct scheme *scheme)
{
    return scheme->clock ? scheme->clock : "clock";
}

static enum err begin(struct sim *s)
{
    const struct scheme *other = find_scheme(OTHER_SCHEME);
    s->alternation = calloc(1, sizeof *s->alternation);
    if (!s->alternation)
        FAIL(MEMORY, "no memory for a second scheme");
    s->alternation->scheme = other;
    s->alternation->clocks = strcmp(clock_of(other), clock_of(s->scheme)) != 0;
    return ERR_OK;
}

/* Why one scheme alone makes the run, though --scheme auto chose it ("": not worth a message);
 * null: two may. */
static const char *why_alone(const struct sim *s)
{
    const struct config *c = s->config;
    const struct scheme *other = find_scheme(OTHER_SCHEME);
    if (strcmp(c->scheme, "auto") != 0 || c->early_exit != EARLY_EXIT_AUTO || s->tiles.columns ||
        sim_cells(s) < SMALL)
        return "";
    if (s->scheme == other || s->scheme->on_demand || !other || !scheme_solves(other, s->system))
        return ""; /* it has early exit itself, or no scheme has */
    if (s->forced || s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] || s->added[SPRINGS_KERNEL])
        return ""; /* no block is ever at rest */
    if (c->mode == STRICT)
        return "in strict mode nothing that timing decides may change bits";
    if (!isnan(c->dt))
        return "--dt fixes the steps";
    if (sim_courant(s) > config_courant(c, other))
        return "its steps are longer than those of " OTHER_SCHEME " may be";
    if (s->scheme->midpoint)
        return "a step of " OTHER_SCHEME " would leave the rates that it keeps out of date";
    if (c->graphs == GRAPHS_ON ||
        (s->backend == &backend_cuda && sim_cells(s) < SMALL_ON_GPU && c->graphs != GRAPHS_OFF))
        return "steps that are launched many at once are all by one scheme";
    if (c->ranks > 1 || (s->parts && s->parts->ranks))
        return "the run is in several processes";
    return NULL;
}

enum err alternation_choose(struct sim *s)
{
    const char *why = why_alone(s);
    if (why) {
        if (*why)
            log_info("scheme %s makes all steps: %s", s->scheme->name, why);
        return ERR_OK;
    }
    TRY(begin(s));
    if (sim_check_memory(s) == ERR_OK)
        return ERR_OK;
    log_info("scheme %s makes all steps: there is no memory for a second one", s->scheme->name);
    alternation_destroy(s);
    return ERR_OK;
}

enum err alternation_inherit(struct sim *s)
{
    return s->whole->alternation ? begin(s) : ERR_OK;
}

static enum err furnish(struct sim *s)
{
    TRY(sim_kernels_of_second(s, s->alternation->clocks));
    TRY(sim_allocate_speeds(s, "wave_speeds_of_second"));
    return s->scheme->setup(s);
}

enum err alternation_create(struct sim *s)
{
    struct alternation *a = s->alternation;
    if (!a)
        return ERR_OK;
    change_places(s);
    const enum err e = furnish(s);
    change_places(s);
    TRY(e);
    a->ready = s->early_exit != NULL;
    a->cycle = (struct cycle){.settles = 1, .steps = s->scheme->steps, .who = a->scheme->name};
    s->redoes |= a->ready; /* observers cannot rely on equal steps */
    if (a->ready)
        log_info("steps are by %s or by %s with early exit, whichever is faster", s->scheme->name,
                 a->scheme->name);
    return ERR_OK;
}

void alternation_destroy(struct sim *s)
{
    struct alternation *a = s->alternation;
    if (!a)
        return;
    if (s->device && !s->parts) {
        change_places(s);
        if (s->scheme->teardown)
            s->scheme->teardown(s);
        sim_kernels_unload_second(s, a->clocks);
        change_places(s);
    }
    free(a);
    s->alternation = NULL;
}

enum err alternation_step(struct sim *s)
{
    struct alternation *a = s->alternation;
    if (!a->ready)
        return s->scheme->step(s);
    TRY(cycle_begin(s, &a->cycle, &a->with));
    enum err e;
    if (a->with) {
        change_places(s);
        e = s->scheme->step(s);
        change_places(s);
    } else {
        e = s->scheme->step(s);
    }
    TRY(e);
    a->before = a->with;
    return cycle_end(s, &a->cycle);
}

int alternation_resumes(const struct sim *s)
{
    return s->alternation && s->alternation->with && !s->alternation->before;
}

int alternation_rates(const struct sim *s)
{
    const int own = s->scheme->rates, other = s->alternation ? s->alternation->scheme->rates : 0;
    return own > other ? own : other;
}

/* The parts know, in a run in parts. */
static int is_ready(const struct sim *s)
{
    return s->alternation &&
           (s->parts ? is_ready(s->parts->sim[s->parts->first]) : s->alternation->ready);
}

void alternation_name(const struct sim *s, char *text, size_t n)
{
    snprintf(text, n, "%s%s%s", s->scheme->name, is_ready(s) ? "+" : "",
             is_ready(s) ? s->alternation->scheme->name : "");
}
