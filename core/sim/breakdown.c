/* Finds the cell in which a solution broke down, and shows its neighbourhood. */
#include "core/sim/breakdown.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/mesh/corner_means.h"

/* The numbers to inspect in a cell: the variables of its system by number, and the bed. Shallow
 * water's, which make waves: */
enum value { W, H, HU, HV, BED = SYSTEM_VARIABLES, VALUES };

/* The state in the user's orientation; the host holds some rows, the latest requested. */
struct view_of_state {
    struct sim *sim;
    struct grid_info grid;
    const struct system *system;
    size_t real_size;
    double g, kappa4;
    int first, rows, room; /* rows on the host, and their maximum */
    enum err error;        /* they could not be read */
    void *memory;          /* of all of them */
    double *bed;           /* at corners */
    void *field[BED];      /* by enum value */
};

struct place {
    long bad;       /* cells that are not finite */
    int i, j;       /* the middle one of them in row order, or the one with the fastest wave */
    double deepest; /* m */
};

static void release(struct view_of_state *v)
{
    free(v->memory);
}

static enum err take_view(struct sim *s, struct view_of_state *v)
{
    enum { CELLS = 1 << 20, LEAST_ROWS = 4 };
    const struct grid_info *g = &s->grid;
    *v = (struct view_of_state){.sim = s,
                                .grid = *g,
                                .system = s->system,
                                .real_size = s->real_size,
                                .g = s->physics.g,
                                .kappa4 = s->physics.kappa4};
    if (s->turned)
        v->grid = (struct grid_info){g->ny, g->nx, g->y0, g->x0, g->dy, g->dx};
    v->room = CELLS / v->grid.nx + LEAST_ROWS;
    v->room = v->room < v->grid.ny ? v->room : v->grid.ny;
    const size_t cells = (size_t)v->grid.nx * (size_t)v->room * s->real_size;
    const size_t corners = ((size_t)v->grid.nx + 1) * ((size_t)v->room + 1) * sizeof(double);
    v->memory = malloc((size_t)s->system->variables * cells + corners);
    if (!v->memory)
        FAIL(MEMORY, "no memory to inspect the state");
    v->bed = v->memory;
    for (int k = 0; k < BED && k < s->system->variables; k++)
        v->field[k] = (char *)v->memory + corners + (size_t)k * cells;
    return ERR_OK;
}

static enum err load(struct view_of_state *v)
{
    const struct window w = {0, v->first, v->grid.nx, v->rows};
    const struct system_variable *variable = v->system->variable;
    sim_bed(v->sim, &w, v->bed);
    for (int k = 0; k < BED && v->field[k]; k++)
        TRY(variable[k].as == AS_CARRIED /* dry cells have none: that is not a breakdown */
                ? sim_read(v->sim, sim_unknown(v->sim, variable[k].of), &w, v->field[k])
                : sim_variable(v->sim, k, &w, v->field[k]));
    return ERR_OK;
}

/* Ensures that rows j0 to j1 are on the host. */
static void hold(struct view_of_state *v, int j0, int j1)
{
    if (j0 >= v->first && j1 < v->first + v->rows)
        return;
    v->first = j0;
    v->rows = v->grid.ny - j0 < v->room ? v->grid.ny - j0 : v->room;
    const enum err e = load(v);
    v->error = v->error ? v->error : e;
}

static const double *corner(const struct view_of_state *v, int i, int j)
{
    return v->bed + (long)(j - v->first) * (v->grid.nx + 1L) + i;
}

static void get_cell(struct view_of_state *v, int i, int j, double q[VALUES])
{
    hold(v, j, j);
    const size_t at = (size_t)(j - v->first) * (size_t)v->grid.nx + (size_t)i;
    q[BED] = corners_mean(corner(v, i, j), (long)v->grid.nx + 1);
    for (int k = 0; k < BED; k++)
        q[k] = v->field[k] ? reals_get(v->field[k], v->real_size, at) : 0;
}

static int is_finite(const double q[VALUES])
{
    int finite = 1;
    for (int k = 0; k < BED; k++)
        finite &= isfinite(q[k]) != 0;
    return finite;
}

/* The largest |u|+c over the cell size, 1/s, by cell averages. */
static double speed(const struct view_of_state *v, const double q[VALUES])
{
    const double h = fmax(q[H], 0), h4 = h * h * h * h, c = sqrt(v->g * h);
    const double root = sqrt(h4 + fmax(h4, v->kappa4));
    const double f = root > 0 ? sqrt(2) * h / root : 0;
    return fmax((fabs(f * q[HU]) + c) / v->grid.dx, (fabs(f * q[HV]) + c) / v->grid.dy);
}

/* Cell number n of those that are not finite; false if there are fewer. */
static int nth_bad(struct view_of_state *v, long n, struct place *p)
{
    double q[VALUES];
    for (int j = 0; j < v->grid.ny; j++)
        for (int i = 0; i < v->grid.nx; i++) {
            get_cell(v, i, j, q);
            if (is_finite(q) || n-- > 0)
                continue;
            p->i = i;
            p->j = j;
            return 1;
        }
    return 0;
}

static struct place find(struct view_of_state *v)
{
    struct place p = {0};
    double q[VALUES], fastest = -1;
    for (int j = 0; j < v->grid.ny; j++)
        for (int i = 0; i < v->grid.nx; i++) {
            get_cell(v, i, j, q);
            p.bad += !is_finite(q);
            p.deepest = fmax(p.deepest, q[H]);
            if (speed(v, q) > fastest) {
                fastest = speed(v, q);
                p.i = i;
                p.j = j;
            }
        }
    if (p.bad)
        nth_bad(v, (p.bad - 1) / 2, &p);
    return p;
}

/* Water at a face of a cell: depth, velocity, and its |u|+c over the cell size. */
struct at_face {
    double depth, speed, rate;
};

static double flattest(double a, double b)
{
    return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b;
}

static struct at_face flow_at(const struct view_of_state *v, double depth, double discharge,
                              double size)
{
    const double h = fmax(depth, 0), h4 = h * h * h * h, root = sqrt(h4 + fmax(h4, v->kappa4));
    struct at_face f = {.depth = h, .speed = root > 0 ? sqrt(2) * h / root * fabs(discharge) : 0};
    f.rate = (f.speed + sqrt(v->g * h)) / size;
    return f;
}

/* From depths and the bed: a level in f32 is rounded as far as the ground is high. */
static double rise(const double from[VALUES], const double to[VALUES])
{
    return (to[H] - from[H]) + (to[BED] - from[BED]);
}

static struct at_face faster_of(struct at_face a, struct at_face b)
{
    return b.rate > a.rate ? b : a;
}

/* The fastest flow at a cell's faces across x or y: as reconstructed over a continuous bed
 * (kernels/num/face.h), with the flattest slopes. There, thin water beside a shore may be much
 * faster than the cell's average. */
static struct at_face fastest_across(struct view_of_state *v, int i, int j, int along_y)
{
    const int nx = v->grid.nx, ny = v->grid.ny, n = along_y ? ny : nx, k = along_y ? j : i;
    const int last = k > 0 ? k - 1 : 0, next = k + 1 < n ? k + 1 : n - 1;
    double q[VALUES], before[VALUES], after[VALUES];
    hold(v, j > 0 ? j - 1 : 0, j + 1 < ny ? j + 1 : j);
    get_cell(v, i, j, q);
    get_cell(v, along_y ? i : last, along_y ? last : j, before);
    get_cell(v, along_y ? i : next, along_y ? next : j, after);
    const double *south = corner(v, i, j), *north = corner(v, i, j + 1);
    const double low = q[H] + (q[BED] - 0.5 * (south[0] + (along_y ? south[1] : north[0])));
    const double high = q[H] + (q[BED] - 0.5 * (north[1] + (along_y ? north[0] : south[1])));
    const double slope = 0.5 * flattest(rise(before, q), rise(q, after));
    const double d = fmin(fmax(slope, -high), low), across = along_y ? q[HV] : q[HU];
    const double size = along_y ? v->grid.dy : v->grid.dx;
    return faster_of(flow_at(v, low - d, across, size), flow_at(v, high + d, across, size));
}

static void look_at_faces(struct view_of_state *v, struct fastest *f, double rate)
{
    double q[VALUES];
    for (int j = 0; j < v->grid.ny; j++)
        for (int i = 0; i < v->grid.nx; i++) {
            const struct at_face here =
                faster_of(fastest_across(v, i, j, 0), fastest_across(v, i, j, 1));
            if (!(here.rate > rate))
                continue;
            rate = here.rate;
            get_cell(v, i, j, q);
            *f = (struct fastest){
                .i = i, .j = j, .depth = fmax(q[H], 0), .face = here.depth, .speed = here.speed};
        }
}

enum err breakdown_fastest(struct sim *s, int faces, struct fastest *f)
{
    struct view_of_state v;
    double q[VALUES];
    TRY(take_view(s, &v));
    const struct place p = find(&v);
    get_cell(&v, p.i, p.j, q);
    const struct at_face mean = flow_at(&v, q[H], hypot(q[HU], q[HV]), v.grid.dx);
    *f = (struct fastest){
        .i = p.i, .j = p.j, .depth = mean.depth, .face = mean.depth, .speed = mean.speed};
    if (faces)
        look_at_faces(&v, f, speed(&v, q));
    f->deepest = p.deepest;
    f->x = grid_x(&v.grid, f->i);
    f->y = grid_y(&v.grid, f->j);
    f->celerity = sqrt(v.g * f->face);
    release(&v);
    return v.error;
}

/* What is wrong and where, in words. */
static void describe(const struct sim *s, const struct view_of_state *v, const struct place *p,
                     char *text, size_t n)
{
    const double x = grid_x(&v->grid, p->i), y = grid_y(&v->grid, p->j);
    int used = 0;
    if (p->bad == 1)
        used = snprintf(text, n, "the state is not finite in");
    else if (p->bad)
        used = snprintf(text, n, "%ld cells are not finite, the middle one is", p->bad);
    else if (s->now.dt < s->now.dt_min)
        used = snprintf(text, n,
                        "the time step fell to %.3g s, from up to %.3g s; waves are fastest in",
                        s->now.dt, s->now.dt_max);
    else
        used = snprintf(text, n,
                        "a wave speed within the step is not finite, or the time step vanished "
                        "(last %.3g s); waves are fastest in",
                        s->now.dt);
    snprintf(text + used, n - (size_t)used, " cell (%d, %d) at x = %.6g m, y = %.6g m", p->i, p->j,
             x, y);
}

/* How far an unknown exceeds its bounds in a cell; of several the largest, `which` is its variable. */
static double beyond(const struct view_of_state *v, const double q[VALUES], int *which)
{
    double most = 0;
    for (int k = 0; k < v->system->variables; k++) {
        const struct unknown *u = &v->system->unknown[v->system->variable[k].of];
        const double off = fmax(q[k] - u->high, u->low - q[k]);
        if (u->low < u->high && (off > most || isnan(q[k]))) {
            *which = k;
            most = isnan(q[k]) ? (double)INFINITY : off;
        }
    }
    return most;
}

/* Where there is no water, the unknown that broke down is meaningless. */
static enum err bedless_error(struct sim *s)
{
    struct view_of_state v;
    struct place p = {0};
    double q[VALUES], most = 0;
    int which = 0;
    TRY(take_view(s, &v));
    for (int j = 0; j < v.grid.ny; j++)
        for (int i = 0; i < v.grid.nx; i++) {
            int k = 0;
            get_cell(&v, i, j, q);
            if (beyond(&v, q, &k) > most || (!is_finite(q) && most <= 0)) {
                most = is_finite(q) ? beyond(&v, q, &k) : (double)INFINITY;
                p.i = i, p.j = j, which = k;
            }
        }
    get_cell(&v, p.i, p.j, q);
    const double x = grid_x(&v.grid, p.i), y = grid_y(&v.grid, p.j);
    const struct system_variable *variable = &s->system->variable[which];
    release(&v);
    TRY(v.error);
    FAIL(BROKEN,
         "the solution broke down after step %lu at t = %.9g s: the %s, %s, is %.4g in cell (%d, "
         "%d) at x = %.6g m, y = %.6g m%s. Try %s, or a scheme that keeps its bounds",
         s->now.steps, s->now.t, variable->title, variable->name, q[which], p.i, p.j, x, y,
         most > 0 ? ", where it means nothing" : "",
         s->now.fixed_dt > 0 ? "a shorter --dt" : "a smaller --cfl");
}

enum err breakdown_error(struct sim *s)
{
    struct view_of_state v;
    char what[256] = "the cell cannot be determined";
    if (!s->system->over_bed)
        return bedless_error(s);
    if (!take_view(s, &v)) {
        const struct place p = find(&v);
        if (!v.error)
            describe(s, &v, &p, what, sizeof what);
        release(&v);
    }
    if (s->now.overlong)
        FAIL(BROKEN,
             "the solution broke down after step %lu at t = %.9g s: %s. --dt %g is too long: %lu "
             "steps were longer than Courant number %g allows; choose a shorter one, or omit it",
             s->now.steps, s->now.t, what, s->now.fixed_dt, s->now.overlong, s->now.courant);
    FAIL(
        BROKEN,
        "the solution broke down after step %lu at t = %.9g s: %s. Try a smaller --cfl or a larger "
        "--kappa",
        s->now.steps, s->now.t, what);
}

/* A row of one value across neighbouring cells. */
static void print_values(struct view_of_state *v, const struct place *p, int j, int k, FILE *f)
{
    for (int i = p->i - 1; i <= p->i + 1; i++) {
        double q[VALUES];
        if (i < 0 || i >= v->grid.nx)
            continue;
        get_cell(v, i, j, q);
        if (isnan(q[k])) /* whatever its sign */
            fprintf(f, " %14s", "nan");
        else
            fprintf(f, " %14.7g", q[k]);
    }
    fputc('\n', f);
}

static void print_row(struct view_of_state *v, const struct place *p, int j, FILE *f)
{
    char place[32];
    snprintf(place, sizeof place, "j = %d", j);
    for (int k = 0; k < v->system->variables; k++) {
        if (v->system->variable[k].on_request)
            continue;
        fprintf(f, "  %-10s %-4s", k ? "" : place, v->system->variable[k].name);
        print_values(v, p, j, k, f);
    }
    if (!v->system->over_bed)
        return;
    fprintf(f, "  %-10s %-4s", "", "bed");
    print_values(v, p, j, BED, f);
}

void breakdown_print(struct sim *s, FILE *f)
{
    struct view_of_state v;
    if (take_view(s, &v))
        return;
    const struct place p = find(&v);
    fprintf(f, "around cell (%d, %d), from north to south, in m and m2/s:\n%-17s", p.i, p.j,
            "  i =");
    for (int i = p.i - 1; i <= p.i + 1; i++)
        if (i >= 0 && i < v.grid.nx)
            fprintf(f, " %14d", i);
    fputc('\n', f);
    for (int j = p.j + 1; j >= p.j - 1; j--)
        if (j >= 0 && j < v.grid.ny)
            print_row(&v, &p, j, f);
    release(&v);
}
