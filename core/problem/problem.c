/* Case or file to setup: grid, boundaries, constants, and where the initial state comes from. */
#include "core/problem/problem.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/problem/coefficients.h"
#include "core/problem/problem_input.h"
#include "core/problem/equations.h"
#include "core/base/printable.h"
#include "core/raster/raster.h"
#include "core/registry/registry.h"
#include "core/problem/tracer.h"

static const double STANDARD_GRAVITY = 9.81;

/* Over measured ground, see verification/README.md, "Wet/dry fronts". */
static const char terrain_reconstruction[] = "audusse";

static double case_bed(const void *context, int i, int j)
{
    const struct problem *p = context;
    const struct grid_info *g = &p->setup.grid;
    return p->flow_case->bed(grid_xc(g, i), grid_yc(g, j));
}

/* The mean of four quarters, in an order that mirroring and transposing does not change. */
static struct flow mean4(const struct flow q[4])
{
    return (struct flow){0.25 * ((q[0].w + q[3].w) + (q[1].w + q[2].w)),
                         0.25 * ((q[0].u + q[3].u) + (q[1].u + q[2].u)),
                         0.25 * ((q[0].v + q[3].v) + (q[1].v + q[2].v))};
}

/* The initial state averaged over a rectangle of half sizes hx and hy by 4^depth samples. */
static struct flow mean_water(const struct flow_case *f, double x, double y, double hx, double hy,
                              int depth)
{
    struct flow q[4];
    if (depth == 0)
        return case_start(f, x, y);
    for (int k = 0; k < 4; k++)
        q[k] = mean_water(f, x + (k % 2 ? hx : -hx) / 2, y + (k / 2 ? hy : -hy) / 2, hx / 2, hy / 2,
                          depth - 1);
    return mean4(q);
}

static struct flow case_water(const void *context, int i, int j)
{
    enum { CORNER_SAMPLES = 4, HALVINGS = 4 };
    const struct problem *p = context;
    const struct flow_case *f = p->flow_case;
    const struct grid_info *g = &p->setup.grid;
    double x = grid_x(g, i), y = grid_y(g, j);
    struct flow centre = case_start(f, x, y);
    for (int k = 0; f->jumps && k < CORNER_SAMPLES; k++)
        if (case_start(f, grid_xc(g, i + k % 2), grid_yc(g, j + k / 2)).w != centre.w)
            return mean_water(f, x, y, g->dx / 2, g->dy / 2, HALVINGS);
    return centre;
}

/* Does the case say so? Cells whose neighbour may have water count as wet: corners are sampled, too. */
static int case_is_dry(const void *context, const struct window *w)
{
    const struct problem *p = context;
    const struct flow_case *f = p->flow_case;
    const struct grid_info *g = &p->setup.grid;
    return grid_xc(g, w->i0 + w->nx + 1) < f->wet.west || grid_xc(g, w->i0 - 1) > f->wet.east ||
           grid_yc(g, w->j0 + w->ny + 1) < f->wet.south || grid_yc(g, w->j0 - 1) > f->wet.north;
}

static double case_value(const void *context, int k, int i, int j)
{
    const struct problem *p = context;
    const struct grid_info *g = &p->setup.grid;
    return p->flow_case->value(grid_x(g, i), grid_y(g, j), k);
}

static double case_added(const void *context, int k, int i, int j)
{
    const struct problem *p = context;
    const struct grid_info *g = &p->setup.grid;
    return p->flow_case->added(grid_x(g, i), grid_y(g, j), k);
}

static struct forcing case_force(const void *context, int i, int j)
{
    const struct problem *p = context;
    const struct grid_info *g = &p->setup.grid;
    return p->flow_case->forcing(grid_x(g, i), grid_y(g, j));
}

static double file_bed(const void *context, int i, int j)
{
    const struct nc_input *in = &((const struct problem *)context)->input;
    return in->bed_corner[(size_t)j * ((size_t)in->grid.nx + 1) + (size_t)i];
}

static struct flow file_water(const void *context, int i, int j)
{
    const struct nc_input *in = &((const struct problem *)context)->input;
    size_t k = (size_t)j * (size_t)in->grid.nx + (size_t)i;
    const double *u = in->unknown[1], *v = in->unknown[2];
    return (struct flow){in->w[k], u ? u[k] : 0, v ? v[k] : 0};
}

static double cell_manning(const void *context, int i, int j)
{
    const struct problem *p = context;
    return p->input.manning_of[(size_t)j * (size_t)p->setup.grid.nx + (size_t)i];
}

static int file_wall(const void *context, int i, int j)
{
    const struct nc_input *in = &((const struct problem *)context)->input;
    return in->wall[(size_t)j * (size_t)in->grid.nx + (size_t)i] != 0;
}

static int is_channel(const struct flow_case *f)
{
    return f->ny == 1;
}

/* The case's size; where only one count is given, the other follows so that cells keep their shape,
 * but not in a channel, whose rows are all the same. */
static void case_grid(struct problem *p, const struct config *c)
{
    const struct flow_case *f = p->flow_case;
    int nx = c->nx, ny = c->ny;
    if (is_channel(f) || (!nx && !ny)) {
        nx = nx ? nx : f->nx;
        ny = ny ? ny : f->ny;
    } else if (!ny) {
        ny = (int)fmax(1, round((double)nx * f->ny / f->nx));
    } else if (!nx) {
        nx = (int)fmax(1, round((double)ny * f->nx / f->ny));
    }
    p->setup.grid = (struct grid_info){nx, ny, f->x0, f->y0, f->lx / nx, f->ly / ny};
}

static void open_case(struct problem *p, const struct config *c)
{
    const struct flow_case *f = p->flow_case;
    struct setup *s = &p->setup;
    case_grid(p, c);
    s->t_end = f->t_end;
    s->gravity = f->gravity;
    p->input.manning = (double)NAN;
    s->drag = f->drag;
    s->kappa = f->kappa > 0 ? f->kappa : (double)NAN;
    const double x_scale = s->grid.dx / (f->lx / f->nx), y_scale = s->grid.dy / (f->ly / f->ny);
    if (f->kappa_scales)
        s->kappa *= is_channel(f) ? x_scale : fmax(x_scale, y_scale);
    memcpy(s->boundary, f->boundary, sizeof s->boundary);
    memcpy(s->edge, f->edge, sizeof s->edge);
    s->source = (struct source){.context = p,
                                .bed = case_bed,
                                .flat = f->bed == flat_bed,
                                .water = case_water,
                                .value = case_value,
                                .added = f->added ? case_added : NULL,
                                .is_dry = f->wet.west < f->wet.east ? case_is_dry : NULL,
                                .force = f->forcing ? case_force : NULL};
    memcpy(s->rise, f->rise, sizeof s->rise);
    snprintf(p->name, sizeof p->name, "%s", f->name);
}

static int gives_water(const struct config *c)
{
    return !isnan(c->level.number) || !isnan(c->depth.number) || *c->level.file || *c->depth.file;
}

/* Values that single precision, or a coordinate's digits, could not distinguish. */
static enum err check_grid(const struct grid_info *g, const char *path)
{
    const double least = 1e-6, most = 1e9, far = 1e12 * fmin(g->dx, g->dy);
    if (!(g->dx >= least && g->dx <= most && g->dy >= least && g->dy <= most))
        FAIL(INPUT, "%s: cells of %g x %g m: a run may have cells of %g to %g m", path, g->dx,
             g->dy, least, most);
    if (!(fabs(grid_xc(g, 0)) <= far && fabs(grid_xc(g, g->nx)) <= far &&
          fabs(grid_yc(g, 0)) <= far && fabs(grid_yc(g, g->ny)) <= far))
        FAIL(INPUT, "%s: its corner (%g, %g) is too far from the origin for cells of %g x %g m",
             path, g->x0, g->y0, g->dx, g->dy);
    return ERR_OK;
}

static double file_value(const void *context, int k, int i, int j)
{
    const struct nc_input *in = &((const struct problem *)context)->input;
    return in->unknown[k][(size_t)j * (size_t)in->grid.nx + (size_t)i];
}

/* Fails if a netCDF file holds the state of another system: water has a bed, and names may
 * coincide. */
static enum err check_file_system(const struct problem *p, const struct config *c)
{
    const struct system *own = p->setup.system;
    int has_bed = 0, water = 0, all;
    TRY(nc_has(c->input, "bed", &has_bed));
    TRY(nc_has_state(c->input, &water));
    for (int n = 0; systems[n]; n++) {
        all = systems[n]->over_bed ? water : !has_bed && !water;
        for (int k = 0; k < systems[n]->unknowns && all && !systems[n]->over_bed; k++)
            TRY(nc_has(c->input, unknown_name(systems[n], k), &all));
        if (all && systems[n]->over_bed != own->over_bed)
            FAIL(INPUT,
                 "%s has the state of the system %s, but the run's is %s: choose --scheme %s, or "
                 "another file",
                 c->input, systems[n]->name, own->name, systems[n]->scheme);
    }
    return ERR_OK;
}

/* A file with its own state, or terrain; only netCDF files have states. */
static enum err read_file(struct problem *p, const struct config *c, int netcdf)
{
    int state = netcdf;
    if (netcdf)
        TRY(check_file_system(p, c));
    if (!p->setup.system->over_bed && !state)
        return coefficients_read_floor(p, c);
    if (!p->setup.system->over_bed)
        return problem_read_state(p);
    if (state)
        TRY(nc_has_state(c->input, &state));
    if (!state || gives_water(c))
        return problem_read_terrain(p);
    if (c->terrain_at >= 0)
        FAIL(USAGE, "--terrain-at: %s itself says what its values belong to", c->input);
    if (c->positive == POSITIVE_DOWN)
        FAIL(USAGE, "--positive down: %s has levels of the water, which count upwards", c->input);
    TRY(tracer_extend(p, c));
    return problem_read_state(p);
}

static enum err open_file(struct problem *p, const struct config *c)
{
    struct setup *s = &p->setup;
    if (c->nx || c->ny)
        FAIL(USAGE, "--nx and --ny cannot change the size of a file's grid: %s has its own",
             c->input);
    int netcdf; /* who misspelt the file's name learns that first */
    TRY(raster_is_netcdf(c->input, &netcdf));
    if (isnan(c->t_end))
        FAIL(USAGE, "%s: a file does not say how long to run: give --t-end SECONDS", c->input);
    TRY(read_file(p, c, netcdf));
    s->grid = p->input.grid;
    TRY(check_grid(&s->grid, c->input));
    s->gravity = isnan(p->input.gravity) ? STANDARD_GRAVITY : p->input.gravity;
    s->kappa = (double)NAN;
    for (int e = 0; e < EDGES; e++)
        s->boundary[e] = WALL;
    s->source = (struct source){
        .context = p, .bed = file_bed, .water = file_water, .value = file_value, .discharges = 1};
    if (p->input.wall)
        s->source.wall = file_wall;
    const char *slash = strrchr(c->input, '/');
    snprintf(p->name, sizeof p->name, "%s", slash ? slash + 1 : c->input);
    for (char *ch = p->name; *ch; ch++) /* the summary line is split at blanks */
        if (*ch == ' ' || iscntrl((unsigned char)*ch))
            *ch = '_';
    printable(p->name);
    return ERR_OK;
}

static int is_flat(const struct nc_input *in)
{
    const size_t n = ((size_t)in->grid.nx + 1) * ((size_t)in->grid.ny + 1);
    for (size_t k = 1; k < n; k++) {
        if (in->bed_corner[k] != in->bed_corner[0])
            return 0;
        plane_passes(k);
    }
    return 1;
}

/* The one place where `auto` becomes a name. */
static void choose_reconstruction(struct problem *p)
{
    struct config *c = &p->config;
    const char *name = CASE_RECONSTRUCTION, *why = "this is a case";
    if (strcmp(c->reconstruction, "auto") != 0)
        return;
    if (!p->setup.system->over_bed) {
        snprintf(c->reconstruction, sizeof c->reconstruction, "%s", CASE_RECONSTRUCTION);
        return;
    }
    if (!p->flow_case) {
        const int flat = is_flat(&p->input);
        name = flat ? CASE_RECONSTRUCTION : terrain_reconstruction;
        why = flat ? "the bed of the file is flat" : "the bed comes from a file and is not flat";
    }
    snprintf(c->reconstruction, sizeof c->reconstruction, "%s", name);
    log_info("reconstruction %s (auto), because %s", name, why);
}

/* Plug-ins that belong together, and warnings about some. */
static enum err check_plugins(const struct config *c)
{
    const struct plugin *limiter = find_plugin(limiters, c->limiter);
    const struct plugin *flux = find_plugin(fluxes, c->flux);
    const struct plugin *reconstruction = find_plugin(reconstructions, c->reconstruction);
    if (flux && reconstruction && (reconstruction->properties & BED_STEP) &&
        !(flux->properties & BED_STEP))
        FAIL(USAGE,
             "--reconstruction %s leaves the steps of the bed to the flux, and %s does not treat "
             "them: choose --flux fwave, or another reconstruction",
             c->reconstruction, c->flux);
    if (limiter && !(limiter->properties & SYMMETRIC))
        log_warning("limiter %s is not symmetric: at a wall the two sides differ, and water leaks",
                    c->limiter);
    return ERR_OK;
}

/* Rain, infiltration, sources; sections. */
static enum err choose_water(struct problem *p)
{
    struct setup *s = &p->setup;
    const struct water_setting from = {.config = &p->config,
                                       .grid = s->grid,
                                       .wkt = p->input.wkt,
                                       .t_end = s->t_end,
                                       .carries = s->system && s->system->carried,
                                       .wall = s->source.wall,
                                       .context = s->source.context};
    int given;
    TRY(rain_choose(&p->rain, &from, &given));
    s->rain = given ? &p->rain : NULL;
    TRY(problem_read_soil(p, &from, &given));
    s->soil = given ? &p->soil : NULL;
    TRY(springs_choose(&p->springs, &from));
    s->springs = p->springs.count > 0 ? &p->springs : NULL;
    TRY(sections_choose(&p->sections, &p->config, &s->grid));
    s->sections = p->sections.count > 0 ? &p->sections : NULL;
    return ERR_OK;
}

static enum err apply_options(struct problem *p, const struct config *c)
{
    struct setup *s = &p->setup;
    p->config = *c;
    TRY(equations_check_options(c, s->system));
    if (!c->precision_chosen && s->system->precision == F64)
        p->config.precision = F64;
    choose_reconstruction(p);
    s->config = &p->config;
    s->t_end = isnan(c->t_end) ? s->t_end : c->t_end;
    s->gravity = isnan(c->gravity) ? s->gravity : c->gravity;
    TRY(problem_read_manning(p));
    s->manning = p->input.manning;
    if (p->input.manning_of)
        s->source.manning = cell_manning;
    s->kappa = isnan(c->kappa) ? s->kappa : c->kappa;
    TRY(tracer_choose(p));
    TRY(coefficients_choose(p));
    TRY(choose_water(p));
    TRY(edges_choose(s, p->flow_case, &p->edges));
    const struct scheme *scheme = scheme_of(c, s->system);
    if (scheme)
        TRY(check_scheme(scheme, s->system));
    return check_plugins(&p->config);
}

enum err problem_open_case(struct problem *p, const struct flow_case *f, const struct config *c)
{
    memset(p, 0, sizeof *p);
    if (gives_water(c) || c->terrain_at >= 0 || c->holes != HOLES_ERROR ||
        c->positive != POSITIVE_UP)
        FAIL(USAGE,
             "--level, --depth, --terrain-at, --positive and --holes are for terrain from a file: "
             "the case %s "
             "has its own bed and water",
             f->name);
    p->flow_case = f;
    TRY(system_of(c, f, &p->setup.system));
    open_case(p, c);
    return apply_options(p, c);
}

enum err problem_open(struct problem *p, const struct config *c)
{
    return problem_open_together(p, c, NULL);
}

enum err problem_open_together(struct problem *p, const struct config *c,
                               const struct input_reader *reader)
{
    const struct flow_case *f = find_case(c->input);
    if (f)
        return problem_open_case(p, f, c);
    memset(p, 0, sizeof *p);
    p->config = *c;
    p->reader = reader;
    TRY(system_of(c, NULL, &p->setup.system));
    TRY(open_file(p, c));
    return apply_options(p, c);
}

void problem_close(struct problem *p)
{
    nc_input_free(&p->input);
    plane_free(p->tracer_of);
    coefficients_free(&p->coefficients);
    edge_plan_free(&p->edges);
    rain_free(&p->rain);
    soil_free(&p->soil);
    springs_free(&p->springs);
    sections_free(&p->sections);
}
