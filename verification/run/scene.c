/* Scenes: made, filled, measured. */
#include "verification/run/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/random.h"

static const double PI = 3.14159265358979323846;

size_t scene_corner(const struct scene *s, int i, int j)
{
    return (size_t)j * ((size_t)s->nx + 1) + (size_t)i;
}

size_t scene_cell(const struct scene *s, int i, int j)
{
    return (size_t)j * (size_t)s->nx + (size_t)i;
}

static size_t cells(const struct scene *s)
{
    return scene_cell(s, 0, s->ny);
}

static size_t corners(const struct scene *s)
{
    return scene_corner(s, 0, s->ny + 1);
}

static const struct system *solved; /* by scenes to come; null: shallow water */

void scene_solve(const struct system *system)
{
    solved = system;
}

enum err scene_create(struct scene *s, int nx, int ny)
{
    return scene_create_for(s, solved ? solved : find_system("shallow_water"), nx, ny);
}

enum err scene_create_for(struct scene *s, const struct system *system, int nx, int ny)
{
    struct sample random = {17};
    *s = (struct scene){
        .system = system, .nx = nx, .ny = ny, .dx = 1, .dy = 0.9, .kappa = 0.01, .t_end = 3600};
    scene_edges(s, WALL, WALL);
    s->bed = calloc(corners(s), sizeof *s->bed);
    const size_t unknowns = (size_t)system->unknowns;
    const size_t givens = (size_t)system->givens;
    double *values = calloc((2 * unknowns + 1 + givens) * cells(s), sizeof *values);
    s->field[0] = values;
    if (!s->bed || !values) {
        scene_free(s);
        FAIL(MEMORY, "no memory for a problem of %d x %d cells", nx, ny);
    }
    for (size_t k = 0; k < unknowns; k++) {
        s->field[k] = values + k * cells(s);
        s->force[k] = values + (unknowns + k) * cells(s);
    }
    s->rough = values + 2 * unknowns * cells(s);
    for (size_t k = 0; k < givens; k++)
        s->given[k] = s->rough + (1 + k) * cells(s);
    for (int k = 0; k < CONSTANTS; k++)
        s->constant[k] = 1;
    for (size_t k = 0; system->carried && k < cells(s); k++)
        s->field[system->carried][k] = sample_between(&random, 0, 1);
    return ERR_OK;
}

void scene_free(struct scene *s)
{
    free(s->bed);
    free(s->field[0]);
    memset(s, 0, sizeof *s);
}

/* Opposite edges are equal where the domain is periodic. */
static void close_bed(struct scene *s)
{
    for (int j = 0; j <= s->ny && s->boundary[WEST] == PERIODIC; j++)
        s->bed[scene_corner(s, s->nx, j)] = s->bed[scene_corner(s, 0, j)];
    for (int i = 0; i <= s->nx && s->boundary[SOUTH] == PERIODIC; i++)
        s->bed[scene_corner(s, i, s->ny)] = s->bed[scene_corner(s, i, 0)];
}

void scene_random_bed(struct scene *s, double low, double high, unsigned long seed)
{
    struct sample random = {seed};
    for (size_t k = 0; k < corners(s); k++)
        s->bed[k] = sample_between(&random, low, high);
    close_bed(s);
}

void scene_smooth_bed(struct scene *s, double low, double high)
{
    for (int j = 0; j <= s->ny; j++)
        for (int i = 0; i <= s->nx; i++) {
            double x = 2 * PI * i / s->nx, y = 2 * PI * j / s->ny;
            double b = 0.3 * sin(x) + 0.2 * cos(x + y) + 0.4 * sin(2 * y + 1) * cos(x);
            s->bed[scene_corner(s, i, j)] = low + (high - low) * 0.5 * (1 + b / 0.9);
        }
    close_bed(s);
}

void scene_edges(struct scene *s, enum boundary west_and_east, enum boundary south_and_north)
{
    s->boundary[WEST] = s->boundary[EAST] = west_and_east;
    s->boundary[SOUTH] = s->boundary[NORTH] = south_and_north;
    close_bed(s);
}

void scene_mixed_edges(struct scene *s)
{
    for (int j = 0; j <= s->ny; j++)
        for (int i = 0; i <= s->nx; i++)
            if (i < 4 || j < 4 || i > s->nx - 4 || j > s->ny - 4)
                s->bed[scene_corner(s, i, j)] = -1;
    s->boundary[WEST] = DISCHARGE;
    s->edge[WEST].hu = 0.4;
    s->edge[WEST].c = 0.75; /* of the tracer, if any */
    s->boundary[EAST] = DEPTH;
    s->edge[EAST].h = 0.5;
    s->boundary[SOUTH] = STATE;
    s->edge[SOUTH] = (struct edge_state){.h = 0.6, .hu = 0.2, .hv = 0.3};
    s->boundary[NORTH] = OPEN;
}

void scene_level(struct scene *s, double w)
{
    for (size_t k = 0; k < cells(s); k++)
        s->field[0][k] = w;
}

void scene_dam(struct scene *s, double ci, double cj, double radius, double w)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            if ((i - ci) * (i - ci) + (j - cj) * (j - cj) <= radius * radius)
                s->field[0][scene_cell(s, i, j)] = w;
}

void scene_stir(struct scene *s, double q, unsigned long seed)
{
    struct sample random = {seed};
    for (int k = 1; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            s->field[k][c] = sample_between(&random, -q, q);
}

void scene_coast(struct scene *s, int sea, int land)
{
    for (int j = 0; j <= s->ny; j++)
        for (int i = 0; i <= s->nx; i++)
            s->bed[scene_corner(s, i, j)] += i < sea ? -6 : i < land ? 20 : -3;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < sea; i++)
            s->field[0][scene_cell(s, i, j)] = 1;
    scene_stir(s, 0.5, 7);
}

void scene_force(struct scene *s, double w, double q, unsigned long seed)
{
    struct sample random = {seed};
    s->forced = 1;
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            s->force[k][c] = sample_between(&random, k ? -q : 0, k ? q : w);
}

enum err scene_rough(struct scene *s, int nx, int ny)
{
    TRY(scene_create(s, nx, ny));
    s->kappa = 0.05;
    scene_random_bed(s, -1, 0.6, 10);
    scene_level(s, 0.1);
    scene_dam(s, 0.4 * nx, 0.6 * ny, 0.2 * fmin(nx, fmax(ny, 0.5 * nx)), 1.5);
    scene_stir(s, 0.2, 3);
    return ERR_OK;
}

double scene_bed_centre(const struct scene *s, enum precision p, int i, int j)
{
    double b00 = s->bed[scene_corner(s, i, j)], b10 = s->bed[scene_corner(s, i + 1, j)];
    double b01 = s->bed[scene_corner(s, i, j + 1)], b11 = s->bed[scene_corner(s, i + 1, j + 1)];
    if (p == F64)
        return 0.25 * ((b00 + b11) + (b10 + b01));
    float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

struct gap scene_gap(const struct scene *expected, const struct scene *got, int exactly)
{
    struct gap g = {0};
    for (int k = 0; k < got->system->unknowns; k++)
        for (size_t c = 0; c < cells(got); c++) {
            const double want = expected->field[k][c], have = got->field[k][c];
            const double apart = isfinite(have - want) ? fabs(have - want) : (double)INFINITY;
            double *most = k ? &g.discharge : &g.level;
            if (apart <= 0 && !(exactly && memcmp(&want, &have, sizeof have) != 0))
                continue;
            if (g.values++ <= 0) {
                g.field = k;
                g.i = (int)(c % (size_t)got->nx);
                g.j = (int)(c / (size_t)got->nx);
                g.expected = want;
                g.got = have;
            }
            *most = fmax(*most, apart);
        }
    return g;
}
