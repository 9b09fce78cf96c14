/* Sources of the coefficients, numbers and initial state of a system without a bed, and their
 * ranges. */
#include "core/problem/coefficients.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/plane.h"
#include "core/problem/field_formula.h"
#include "core/raster/raster.h"

/* The options by the names of the tables. */
static const struct {
    const char *name;
    size_t offset;
} choices[] = {{"alpha", offsetof(struct config, alpha)},
               {"beta", offsetof(struct config, beta)},
               {"sand", offsetof(struct config, sand)}};

static const struct field_choice *choice_of(const struct config *c, const char *option)
{
    for (size_t k = 0; option && k < sizeof choices / sizeof *choices; k++)
        if (strcmp(choices[k].name, option) == 0)
            return (const void *)((const char *)c + choices[k].offset);
    return NULL;
}

static int is_given(const struct field_choice *f)
{
    return f && (!isnan(f->number) || *f->file);
}

static size_t place(const struct problem *p, int i, int j)
{
    return (size_t)j * (size_t)p->setup.grid.nx + (size_t)i;
}

static double given(const void *context, int k, int i, int j)
{
    const struct problem *p = context;
    const struct coefficients *c = &p->coefficients;
    const struct grid_info *g = &p->setup.grid;
    if (c->field[k])
        return c->field[k][place(p, i, j)];
    return isnan(c->number[k]) ? p->flow_case->given(grid_x(g, i), grid_y(g, j), k) : c->number[k];
}

static double start(const void *context, int k, int i, int j)
{
    const struct problem *p = context;
    const struct coefficients *c = &p->coefficients;
    const struct grid_info *g = &p->setup.grid;
    if (c->start[k])
        return c->start[k][place(p, i, j)];
    if (!isnan(c->start_number[k]))
        return c->start_number[k];
    return p->flow_case ? p->flow_case->value(grid_x(g, i), grid_y(g, j), k)
                        : p->input.unknown[k][place(p, i, j)];
}

static enum err check_cells(const struct problem *p, const char *option, const char *from,
                            const double *x, double most)
{
    const struct grid_info *g = &p->setup.grid;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const double value = x[place(p, i, j)];
            char range[64] = "a number from 0 on", has[64] = "no value";
            if (!isnan(value))
                snprintf(has, sizeof has, "%.9g", value);
            if (!isinf(most))
                snprintf(range, sizeof range, "a number from 0 to %g", most);
            if (!(value >= 0 && value <= most))
                FAIL(INPUT,
                     "--%s: %s: cell (%d, %d), at x = %.9g, y = %.9g, has %s: expected %s; "
                     "correct it",
                     option, from, i, j, grid_x(g, i), grid_y(g, j), has, range);
            plane_passes(place(p, i, j));
        }
    return ERR_OK;
}

static enum err read_raster(const struct problem *p, const char *option, const char *path,
                            double **field)
{
    struct raster r;
    TRY(raster_read_option(option, path, QUANTITY_SEDIMENT, &r));
    enum err e = raster_check_system(path, &r, p->input.wkt, "the run");
    if (!e)
        e = raster_fit(path, &r, &p->setup.grid, "the run", QUANTITY_SEDIMENT);
    if (e) {
        err_context("--%s", option);
    } else {
        *field = r.value;
        r.value = NULL;
    }
    raster_free(&r);
    return e;
}

/* A number, or a field with its hash. */
static enum err take_coefficient(const struct problem *p, const char *option,
                                 const struct field_choice *f, double most, double **field,
                                 double *number, char hash[16])
{
    const struct grid_info *g = &p->setup.grid;
    char hex[SHA256_DIGITS + 1];
    struct sha256 sum;
    *number = f->number;
    if (!*f->file)
        return ERR_OK;
    if (f->formula)
        TRY(field_formula(option, f->file, g, NULL, field));
    else
        TRY(read_raster(p, option, f->file, field));
    TRY(check_cells(p, option, f->file, *field, most));
    sha256_init(&sum);
    plane_hash(&sum, *field, (size_t)g->nx * (size_t)g->ny);
    sha256_final(&sum, hex);
    snprintf(hash, 16, "%.12s", hex);
    return ERR_OK;
}

static enum err missing(const struct problem *p, const char *option, const char *title,
                        const char *units)
{
    FAIL(USAGE, "--%s is missing: a run of the system %s needs the %s%s%s; give it as --%s", option,
         p->setup.system->name, title, *units ? ", " : "", units, option);
}

static enum err choose_fields(struct problem *p)
{
    const struct system *system = p->setup.system;
    struct coefficients *c = &p->coefficients;
    for (int k = 0; k < system->givens; k++) {
        const struct given_field *g = &system->given[k];
        const struct field_choice *f = choice_of(&p->config, g->name);
        c->number[k] = (double)NAN;
        if (is_given(f))
            TRY(take_coefficient(p, g->name, f, (double)INFINITY, &c->field[k], &c->number[k],
                                 c->hash[k]));
        else if (!p->flow_case || !p->flow_case->given)
            return missing(p, g->name, g->title, g->units);
    }
    return ERR_OK;
}

static enum err choose_start(struct problem *p)
{
    const struct system *system = p->setup.system;
    struct coefficients *c = &p->coefficients;
    for (int k = 0; k < system->unknowns; k++) {
        const struct unknown *u = &system->unknown[k];
        const struct field_choice *f = choice_of(&p->config, u->option);
        c->start_number[k] = (double)NAN;
        if (is_given(f))
            TRY(take_coefficient(p, u->option, f, u->high, &c->start[k], &c->start_number[k],
                                 c->hash[GIVEN_FIELDS + k]));
        else if (!p->flow_case && !p->input.unknown[k])
            return missing(p, u->option ? u->option : u->name, unknown_title(system, k), "");
    }
    return ERR_OK;
}

/* From the options; else the case; else 1, if that is no choice of the user's. */
static enum err choose_constants(struct problem *p)
{
    const struct config *c = &p->config;
    const struct system *system = p->setup.system;
    const double chosen[CONSTANTS] = {c->compaction[0], c->compaction[1], c->layer};
    for (int k = 0; k < CONSTANTS && k < system->constants; k++) {
        const struct given_number *n = &system->constant[k];
        const double usual = p->flow_case ? p->flow_case->constant[k] : n->usual;
        const double x = isnan(chosen[k]) ? usual : chosen[k];
        if (!(x > 0) && isnan(chosen[k]) && !p->flow_case)
            return missing(p, n->name, n->title, n->units);
        if (!(x > 0) || isinf(x))
            FAIL(USAGE, "%s: the %s is %g %s: expected a number above 0; give it as --%s", p->name,
                 n->title, x, n->units, n->name);
        p->setup.constant[k] = x;
    }
    return ERR_OK;
}

enum err coefficients_choose(struct problem *p)
{
    struct setup *s = &p->setup;
    if (s->system->givens == 0 && s->system->constants == 0)
        return ERR_OK;
    TRY(choose_constants(p));
    TRY(choose_fields(p));
    TRY(choose_start(p));
    s->source.given = given;
    s->source.value = start;
    return ERR_OK;
}

static enum err check_floor(const char *path, const struct raster *r)
{
    const struct grid_info *g = &r->grid;
    if (r->corners)
        FAIL(INPUT, "%s: its values belong to corners: expected one in each cell, for a floor",
             path);
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            if (isnan(r->value[(size_t)j * (size_t)g->nx + (size_t)i]))
                FAIL(INPUT,
                     "%s: cell (%d, %d), at x = %.9g, y = %.9g, has no value: expected the height "
                     "of the floor in every cell; fill the gaps, or cut the raster to where it has "
                     "values",
                     path, i, j, grid_x(g, i), grid_y(g, j));
    return ERR_OK;
}

enum err coefficients_read_floor(struct problem *p, const struct config *c)
{
    struct nc_input *in = &p->input;
    struct raster r;
    if (p->setup.system->givens == 0)
        FAIL(INPUT,
             "%s: a run of the system %s begins with a netCDF file that has its unknowns, or with "
             "a case",
             c->input, p->setup.system->name);
    *in = (struct nc_input){.gravity = (double)NAN, .manning = (double)NAN};
    TRY(raster_read(c->input, QUANTITY_TERRAIN, &r));
    const enum err e = check_floor(c->input, &r);
    if (!e) {
        in->grid = r.grid;
        in->unknown[0] = r.value;
        in->wkt = r.wkt;
        r.value = NULL;
        r.wkt = NULL;
    }
    raster_free(&r);
    return e;
}

void coefficients_free(struct coefficients *c)
{
    for (int k = 0; k < GIVEN_FIELDS; k++)
        plane_free(c->field[k]);
    for (int k = 0; k < UNKNOWNS; k++)
        plane_free(c->start[k]);
    *c = (struct coefficients){0};
}
