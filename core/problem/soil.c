/* Reads and checks infiltration. */
#include "core/problem/soil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/problem/field_formula.h"
#include "core/raster/raster.h"

static const double MM_PER_HOUR = 1e-3 / 3600; /* in m/s */

/* A property of the ground: a number everywhere, or one in each cell. */
struct property {
    const char *option, *unit;
    const struct field_choice *choice;
    double most;      /* the largest valid value */
    const char *hint; /* likely causes of larger ones */
    double number;    /* NAN where there are: */
    double *of;
};

static int is_given(const struct field_choice *f)
{
    return !isnan(f->number) || *f->file;
}

static enum err check_number(const struct property *p, double x, const char *where)
{
    if (x >= 0 && x <= p->most)
        return ERR_OK;
    FAIL(INPUT, "--%s: %g%s%s%s: expected 0 to %g%s%s", p->option, x, p->unit, *where ? " at " : "",
         where, p->most, x > p->most ? ": " : "", x > p->most ? p->hint : "");
}

/* Walls for missing terrain need no value. */
static enum err check_cells(const struct property *p, const struct water_setting *from)
{
    const struct grid_info *g = &from->grid;
    char where[96];
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double *x = &p->of[(size_t)j * (size_t)g->nx + (size_t)i];
            if (from->wall && from->wall(from->context, i, j)) {
                *x = 0;
                continue;
            }
            snprintf(where, sizeof where, "x = %.9g, y = %.9g", grid_x(g, i), grid_y(g, j));
            if (isnan(*x))
                FAIL(INPUT, "--%s: %s: there is no value at %s", p->option, p->choice->file, where);
            TRY(check_number(p, *x, where));
            plane_passes((size_t)j * (size_t)g->nx + (size_t)i);
        }
    return ERR_OK;
}

static enum err read_raster(struct property *p, const struct water_setting *from)
{
    const char *path = p->choice->file;
    struct raster r;
    TRY(raster_read_option(p->option, path, QUANTITY_SOIL, &r));
    enum err e = raster_check_system(path, &r, from->wkt, from->config->input);
    if (!e)
        e = raster_fit(path, &r, &from->grid, "the run", QUANTITY_SOIL);
    if (e) {
        err_context("--%s", p->option);
    } else {
        p->of = r.value;
        r.value = NULL;
    }
    raster_free(&r);
    return e;
}

/* With walls a number becomes one for each cell. */
static enum err spread(struct property *p, const struct water_setting *from)
{
    const struct grid_info *g = &from->grid;
    if (!from->wall)
        return ERR_OK;
    TRY(plane_new(p->option, (size_t)g->nx, (size_t)g->ny, &p->of));
    for (size_t k = 0; k < (size_t)g->nx * (size_t)g->ny; k++) {
        p->of[k] = p->number;
        plane_passes(k);
    }
    p->number = (double)NAN;
    return check_cells(p, from);
}

static enum err read_property(struct property *p, const struct water_setting *from)
{
    p->number = p->choice->number;
    if (!isnan(p->number)) {
        TRY(check_number(p, p->number, ""));
        return spread(p, from);
    }
    if (p->choice->formula)
        TRY(field_formula(p->option, p->choice->file, &from->grid, NULL, &p->of));
    else
        TRY(read_raster(p, from));
    return check_cells(p, from);
}

static double value_of(const struct property *p, size_t k)
{
    return p->of ? p->of[k] : p->number;
}

static double largest(const struct property *p, size_t cells)
{
    double most = 0;
    for (size_t k = 0; k < (p->of ? cells : 1); k++) {
        most = fmax(most, value_of(p, k));
        plane_passes(k);
    }
    return most;
}

/* Warns of numbers that may be in another unit. */
static enum err check_sense(const struct property *rate, const struct property *suction,
                            size_t cells, int green_ampt)
{
    const double most = largest(rate, cells);
    if (green_ampt && !(most > 0))
        FAIL(USAGE,
             "--infiltration: with --suction it is the conductivity of the soil, and 0 mm/h lets "
             "nothing in: give more than 0");
    if (most > 0 && most < 1e-3)
        log_warning("--infiltration: at most %.3g mm/h: it is in mm/h; is this m/s?", most);
    if (green_ampt && largest(suction, cells) > 0 && largest(suction, cells) <= 2)
        log_warning("--suction: at most %.3g mm: it is in mm; is this m?", largest(suction, cells));
    return ERR_OK;
}

/* Takes ownership of the planes. */
static enum err combine(struct soil *s, struct property p[3], const struct water_setting *from,
                        int green_ampt)
{
    const struct grid_info *g = &from->grid;
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    TRY(check_sense(&p[0], &p[1], cells, green_ampt));
    if (green_ampt && (p[1].of || p[2].of)) {
        TRY(plane_new("--suction", (size_t)g->nx, (size_t)g->ny, &s->store_of));
        for (size_t k = 0; k < cells; k++) {
            s->store_of[k] = 1e-3 * value_of(&p[1], k) * value_of(&p[2], k);
            plane_passes(k);
        }
    } else if (green_ampt) {
        s->store = 1e-3 * p[1].number * p[2].number;
    }
    s->rate = p[0].of ? 0 : p[0].number * MM_PER_HOUR;
    s->rate_of = p[0].of;
    p[0].of = NULL;
    for (size_t k = 0; s->rate_of && k < cells; k++) {
        s->rate_of[k] *= MM_PER_HOUR;
        plane_passes(k);
    }
    return ERR_OK;
}

static void make_hash(struct soil *s, const struct grid_info *g)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 sum;
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    const double numbers[] = {s->rate, s->store, s->rate_of ? 1 : 0, s->store_of ? 1 : 0};
    sha256_init(&sum);
    sha256_update(&sum, numbers, sizeof numbers);
    if (s->rate_of)
        plane_hash(&sum, s->rate_of, cells);
    if (s->store_of)
        plane_hash(&sum, s->store_of, cells);
    sha256_final(&sum, hex);
    memcpy(s->hash, hex, TIMESERIES_HASH);
}

static enum err check_options(const struct config *c)
{
    const int suction = is_given(&c->suction), deficit = is_given(&c->deficit);
    if ((suction || deficit) && !is_given(&c->infiltration))
        FAIL(USAGE, "--%s: expected --infiltration: give the conductivity of the soil, mm/h",
             suction ? "suction" : "deficit");
    if (suction != deficit)
        FAIL(USAGE, "--%s: Green and Ampt's law needs both: add --%s",
             suction ? "suction" : "deficit", suction ? "deficit" : "suction");
    return ERR_OK;
}

enum err soil_choose(struct soil *s, const struct water_setting *from, int *given)
{
    const struct config *c = from->config;
    struct property p[3] = {
        {"infiltration", " mm/h", &c->infiltration, 1e5, "it is in mm/h", 0, NULL},
        {"suction", " mm", &c->suction, 1e5, "it is in mm", 0, NULL},
        {"deficit", "", &c->deficit, 1, "it is a share of the volume, not per cent", 0, NULL}};
    enum err e = ERR_OK;
    *s = (struct soil){0};
    *given = is_given(&c->infiltration);
    TRY(check_options(c));
    if (!*given)
        return ERR_OK;
    const int green_ampt = is_given(&c->suction);
    for (int k = 0; k < (green_ampt ? 3 : 1) && !e; k++)
        e = read_property(&p[k], from);
    if (!e)
        e = combine(s, p, from, green_ampt);
    for (int k = 0; k < 3; k++)
        plane_free(p[k].of);
    if (!e)
        make_hash(s, &from->grid);
    return e;
}

void soil_free(struct soil *s)
{
    plane_free(s->rate_of);
    plane_free(s->store_of);
    *s = (struct soil){0};
}
