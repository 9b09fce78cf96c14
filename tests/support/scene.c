/* Initial states for tests, and how they look in a mirror. */
#include "tests/support/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem.h"
#include "tests/support/sample.h"

static const double PI = 3.14159265358979323846;

static double *numbers(size_t n)
{
    double *x = calloc(n, sizeof *x);
    if (!x)
        abort();
    return x;
}

static size_t corner(const struct scene *s, int i, int j)
{
    return (size_t)j * ((size_t)s->nx + 1) + (size_t)i;
}

static size_t cell(const struct scene *s, int i, int j)
{
    return (size_t)j * (size_t)s->nx + (size_t)i;
}

static size_t cells(const struct scene *s)
{
    return (size_t)s->nx * (size_t)s->ny;
}

static size_t corners(const struct scene *s)
{
    return ((size_t)s->nx + 1) * ((size_t)s->ny + 1);
}

struct scene scene_create(int nx, int ny)
{
    struct scene s = {
        .nx = nx, .ny = ny, .dx = 1, .dy = 0.9, .kappa = 0.01, .manning = 0, .t_end = 3600};
    scene_edges(&s, WALL, WALL);
    s.bed = numbers(corners(&s));
    for (int k = 0; k < 3; k++) {
        s.field[k] = numbers(2 * cells(&s));
        s.force[k] = s.field[k] + cells(&s);
    }
    return s;
}

void scene_free(struct scene *s)
{
    free(s->bed);
    for (int k = 0; k < 3; k++)
        free(s->field[k]);
    memset(s, 0, sizeof *s);
}

struct scene scene_of_case(const char *name, int nx, int ny)
{
    struct config c;
    struct problem p;
    config_defaults(&c);
    snprintf(c.input, sizeof c.input, "%s", name);
    c.nx = nx;
    c.ny = ny;
    if (!find_case(name) || problem_open(&p, &c))
        abort();
    struct scene s = scene_create(nx, ny);
    const struct source *from = &p.setup.source;
    s.dx = p.setup.grid.dx;
    s.dy = p.setup.grid.dy;
    s.kappa = p.setup.kappa;
    s.manning = p.setup.manning;
    s.drag = p.setup.drag;
    s.forced = from->force != NULL;
    s.t_end = p.setup.t_end;
    memcpy(s.boundary, p.setup.boundary, sizeof s.boundary);
    memcpy(s.edge, p.setup.edge, sizeof s.edge);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            s.bed[corner(&s, i, j)] = from->bed(from->context, i, j);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            struct flow f = from->water(from->context, i, j);
            double h = fmax(0, f.w - scene_bed_centre(&s, F64, i, j));
            s.field[0][cell(&s, i, j)] = f.w;
            s.field[1][cell(&s, i, j)] = h * f.u;
            s.field[2][cell(&s, i, j)] = h * f.v;
            if (s.forced) {
                struct forcing add = from->force(from->context, i, j);
                s.force[0][cell(&s, i, j)] = add.w;
                s.force[1][cell(&s, i, j)] = add.hu;
                s.force[2][cell(&s, i, j)] = add.hv;
            }
        }
    problem_close(&p);
    return s;
}

void scene_edges(struct scene *s, enum boundary west_and_east, enum boundary south_and_north)
{
    s->boundary[WEST] = s->boundary[EAST] = west_and_east;
    s->boundary[SOUTH] = s->boundary[NORTH] = south_and_north;
}

/* Opposite edges are equal where the domain is periodic. */
static void close_bed(struct scene *s)
{
    for (int j = 0; j <= s->ny && s->boundary[WEST] == PERIODIC; j++)
        s->bed[corner(s, s->nx, j)] = s->bed[corner(s, 0, j)];
    for (int i = 0; i <= s->nx && s->boundary[SOUTH] == PERIODIC; i++)
        s->bed[corner(s, i, s->ny)] = s->bed[corner(s, i, 0)];
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
            s->bed[corner(s, i, j)] = low + (high - low) * 0.5 * (1 + b / 0.9);
        }
    close_bed(s);
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
                s->field[0][cell(s, i, j)] = w;
}

void scene_stir(struct scene *s, double q, unsigned long seed)
{
    struct sample random = {seed};
    for (int k = 1; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            s->field[k][c] = sample_between(&random, -q, q);
}

void scene_force(struct scene *s, double w, double q, unsigned long seed)
{
    struct sample random = {seed};
    s->forced = 1;
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            s->force[k][c] = sample_between(&random, k ? -q : 0, k ? q : w);
}

/* The same attributes with other arrays. */
static struct scene like(const struct scene *s, int nx, int ny)
{
    struct scene to = scene_create(nx, ny), kept = to;
    to = *s;
    to.nx = nx;
    to.ny = ny;
    to.bed = kept.bed;
    for (int k = 0; k < 3; k++) {
        to.field[k] = kept.field[k];
        to.force[k] = kept.force[k];
    }
    return to;
}

static void mirror(const struct scene *s, const double *from, int sign, double *to)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            to[cell(s, i, j)] = sign * from[cell(s, s->nx - 1 - i, j)];
}

struct scene scene_mirrored_x(const struct scene *s)
{
    struct scene to = like(s, s->nx, s->ny);
    for (int e = 0; e < EDGES; e++) {
        const int from = e <= EAST ? e ^ 1 : e;
        to.boundary[e] = s->boundary[from];
        to.edge[e] = s->edge[from];
        to.edge[e].hu *= -1;
    }
    for (int j = 0; j <= s->ny; j++)
        for (int i = 0; i <= s->nx; i++)
            to.bed[corner(s, i, j)] = s->bed[corner(s, s->nx - i, j)];
    for (int k = 0; k < 3; k++) {
        mirror(s, s->field[k], k == 1 ? -1 : 1, to.field[k]);
        mirror(s, s->force[k], k == 1 ? -1 : 1, to.force[k]);
    }
    return to;
}

static void transpose(const struct scene *s, const double *from, double *to)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++)
            to[(size_t)i * (size_t)s->ny + (size_t)j] = from[cell(s, i, j)];
}

static void transpose_fields(const struct scene *s, double *const from[3], double *const to[3])
{
    transpose(s, from[0], to[0]);
    transpose(s, from[1], to[2]);
    transpose(s, from[2], to[1]);
}

struct scene scene_transposed(const struct scene *s)
{
    struct edge_state edge[EDGES];
    struct scene to = like(s, s->ny, s->nx);
    to.dx = s->dy;
    to.dy = s->dx;
    for (int e = 0; e < EDGES; e++) { /* west and south, east and north */
        to.boundary[e] = s->boundary[e ^ 2];
        edge[e] = (struct edge_state){s->edge[e ^ 2].h, s->edge[e ^ 2].hv, s->edge[e ^ 2].hu};
    }
    memcpy(to.edge, edge, sizeof to.edge);
    for (int j = 0; j <= s->ny; j++)
        for (int i = 0; i <= s->nx; i++)
            to.bed[corner(&to, j, i)] = s->bed[corner(s, i, j)];
    transpose_fields(s, s->field, to.field);
    transpose_fields(s, s->force, to.force);
    return to;
}

struct scene scene_mirrored_y(const struct scene *s)
{
    struct scene turned = scene_transposed(s), mirrored = scene_mirrored_x(&turned);
    struct scene back = scene_transposed(&mirrored);
    scene_free(&turned);
    scene_free(&mirrored);
    return back;
}

struct scene scene_shifted(const struct scene *s, int di, int dj)
{
    struct scene to = like(s, s->nx, s->ny);
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            int i2 = (i + di) % s->nx, j2 = (j + dj) % s->ny;
            to.bed[corner(s, i2, j2)] = s->bed[corner(s, i, j)];
            for (int k = 0; k < 3; k++) {
                to.field[k][cell(s, i2, j2)] = s->field[k][cell(s, i, j)];
                to.force[k][cell(s, i2, j2)] = s->force[k][cell(s, i, j)];
            }
        }
    close_bed(&to);
    return to;
}

struct scene scene_widened(const struct scene *s, int ny)
{
    struct scene to = like(s, s->nx, ny);
    for (int j = 0; j <= ny; j++)
        memcpy(to.bed + corner(&to, 0, j), s->bed, ((size_t)s->nx + 1) * sizeof *s->bed);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < ny; j++) {
            memcpy(to.field[k] + cell(&to, 0, j), s->field[k], (size_t)s->nx * sizeof *s->field[k]);
            memcpy(to.force[k] + cell(&to, 0, j), s->force[k], (size_t)s->nx * sizeof *s->force[k]);
        }
    return to;
}

static int equal(double a, double b, int exactly)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return exactly ? memcmp(&a, &b, sizeof a) == 0 : a - b == 0;
}

static const char *const field_name[3] = {"w", "hu", "hv"};

int scene_differs(const struct scene *expected, const struct scene *got, int exactly, char *text,
                  size_t n)
{
    long count = 0;
    if (expected->nx != got->nx || expected->ny != got->ny) {
        snprintf(text, n, "%d x %d cells, not %d x %d", got->nx, got->ny, expected->nx,
                 expected->ny);
        return 1;
    }
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < cells(got); c++) {
            double want = expected->field[k][c], have = got->field[k][c];
            if (equal(want, have, exactly))
                continue;
            if (!count++)
                snprintf(text, n, "%s of cell (%d, %d) is %.17g, not %.17g", field_name[k],
                         (int)(c % (size_t)got->nx), (int)(c / (size_t)got->nx), have, want);
        }
    if (count)
        snprintf(text + strlen(text), n - strlen(text), "; %ld of %zu values differ", count,
                 3 * cells(got));
    return count != 0;
}

int scene_broken(const struct scene *s, char *text, size_t n)
{
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            if (!isfinite(s->field[k][c])) {
                snprintf(text, n, "%s of cell (%d, %d) is %g", field_name[k],
                         (int)(c % (size_t)s->nx), (int)(c / (size_t)s->nx), s->field[k][c]);
                return 1;
            }
    return 0;
}

double scene_bed_centre(const struct scene *s, enum precision p, int i, int j)
{
    double b00 = s->bed[corner(s, i, j)], b10 = s->bed[corner(s, i + 1, j)];
    double b01 = s->bed[corner(s, i, j + 1)], b11 = s->bed[corner(s, i + 1, j + 1)];
    if (p == F64)
        return 0.25 * ((b00 + b11) + (b10 + b01));
    float a = (float)b00 + (float)b11, b = (float)b10 + (float)b01;
    return (double)(0.25f * (a + b));
}

double scene_fastest(const struct scene *s)
{
    double most = 0;
    for (int k = 1; k < 3; k++)
        for (size_t c = 0; c < cells(s); c++)
            most = fmax(most, fabs(s->field[k][c]));
    return most;
}
