/* Rectangular problems in plain arrays: made, seen otherwise, compared. */
#include "verification/patch.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t corner(const struct patch *p, int i, int j)
{
    return (size_t)j * ((size_t)p->nx + 1) + (size_t)i;
}

static size_t cell(const struct patch *p, int i, int j)
{
    return (size_t)j * (size_t)p->nx + (size_t)i;
}

static size_t cells(const struct patch *p)
{
    return (size_t)p->nx * (size_t)p->ny;
}

enum err patch_create(struct patch *p, int nx, int ny)
{
    *p = (struct patch){.nx = nx, .ny = ny, .dx = 1, .dy = 0.9, .kappa = 0.05};
    p->bed = calloc(corner(p, 0, ny + 1), sizeof *p->bed);
    int missing = !p->bed;
    for (int k = 0; k < 3; k++) {
        p->field[k] = calloc(cells(p), sizeof *p->field[k]);
        missing |= !p->field[k];
    }
    if (missing) {
        patch_free(p);
        FAIL(MEMORY, "no memory for a problem of %d x %d cells", nx, ny);
    }
    return ERR_OK;
}

void patch_free(struct patch *p)
{
    free(p->bed);
    for (int k = 0; k < 3; k++)
        free(p->field[k]);
    memset(p, 0, sizeof *p);
}

/* The xorshift64* generator of Vigna 2016. */
double patch_random(unsigned long *state, double lo, double hi)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return lo + (hi - lo) * ((double)((*state * 0x2545f4914f6cdd1dul) >> 11) * 0x1p-53);
}

void patch_random_bed(struct patch *p, double low, double high, unsigned long seed)
{
    for (size_t k = 0; k < corner(p, 0, p->ny + 1); k++)
        p->bed[k] = patch_random(&seed, low, high);
}

void patch_level(struct patch *p, double w)
{
    for (size_t k = 0; k < cells(p); k++)
        p->field[0][k] = w;
}

void patch_dam(struct patch *p, double ci, double cj, double radius, double w)
{
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++)
            if ((i - ci) * (i - ci) + (j - cj) * (j - cj) <= radius * radius)
                p->field[0][cell(p, i, j)] = w;
}

void patch_stir(struct patch *p, double q, unsigned long seed)
{
    for (int k = 1; k < 3; k++)
        for (size_t c = 0; c < cells(p); c++)
            p->field[k][c] = patch_random(&seed, -q, q);
}

enum err patch_rough(struct patch *p, int nx, int ny)
{
    TRY(patch_create(p, nx, ny));
    patch_random_bed(p, -1, 0.6, 10);
    patch_level(p, 0.1);
    patch_dam(p, 0.4 * nx, 0.6 * ny, 0.2 * fmin(nx, fmax(ny, 0.5 * nx)), 1.5);
    patch_stir(p, 0.2, 3);
    return ERR_OK;
}

void patch_open_edges(struct patch *p)
{
    for (int j = 0; j <= p->ny; j++)
        for (int i = 0; i <= p->nx; i++)
            if (i < 4 || j < 4 || i > p->nx - 4 || j > p->ny - 4)
                p->bed[corner(p, i, j)] = -1;
    p->boundary[WEST] = DISCHARGE;
    p->edge[WEST].hu = 0.4;
    p->boundary[EAST] = DEPTH;
    p->edge[EAST].h = 0.5;
    p->boundary[SOUTH] = STATE;
    p->edge[SOUTH] = (struct edge_state){0.6, 0.2, 0.3};
    p->boundary[NORTH] = OPEN;
}

/* The same attributes with arrays of its own. */
static enum err like(struct patch *to, const struct patch *from, int nx, int ny)
{
    struct patch own;
    TRY(patch_create(&own, nx, ny));
    *to = *from;
    to->nx = nx;
    to->ny = ny;
    to->bed = own.bed;
    memcpy(to->field, own.field, sizeof own.field);
    return ERR_OK;
}

/* Where cell or corner (i, j) of nx x ny is seen. */
static void place(int how, int nx, int ny, int *i, int *j)
{
    int x = how & MIRROR_X ? nx - 1 - *i : *i, y = how & MIRROR_Y ? ny - 1 - *j : *j;
    *i = how & EXCHANGE ? y : x;
    *j = how & EXCHANGE ? x : y;
}

static void see_edges(struct patch *to, const struct patch *from, int how)
{
    for (int e = 0; e < EDGES; e++) {
        const int flip = (how & (e <= EAST ? MIRROR_X : MIRROR_Y)) ? 1 : 0;
        const int seen = (e ^ flip) ^ (how & EXCHANGE ? 2 : 0); /* west and south, east and north */
        const struct edge_state *s = &from->edge[e];
        const double hu = how & MIRROR_X ? -s->hu : s->hu, hv = how & MIRROR_Y ? -s->hv : s->hv;
        to->boundary[seen] = from->boundary[e];
        to->edge[seen] =
            how & EXCHANGE ? (struct edge_state){s->h, hv, hu} : (struct edge_state){s->h, hu, hv};
    }
}

enum err patch_seen(struct patch *to, const struct patch *from, int how)
{
    const int nx = from->nx, ny = from->ny, exchange = (how & EXCHANGE) != 0;
    TRY(like(to, from, exchange ? ny : nx, exchange ? nx : ny));
    to->dx = exchange ? from->dy : from->dx;
    to->dy = exchange ? from->dx : from->dy;
    see_edges(to, from, how);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            int x = i, y = j;
            place(how, nx + 1, ny + 1, &x, &y);
            to->bed[corner(to, x, y)] = from->bed[corner(from, i, j)];
        }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int x = i, y = j;
            size_t k = cell(from, i, j);
            place(how, nx, ny, &x, &y);
            size_t seen = cell(to, x, y);
            to->field[0][seen] = from->field[0][k];
            to->field[exchange ? 2 : 1][seen] = (how & MIRROR_X ? -1 : 1) * from->field[1][k];
            to->field[exchange ? 1 : 2][seen] = (how & MIRROR_Y ? -1 : 1) * from->field[2][k];
        }
    return ERR_OK;
}

enum err patch_shifted(struct patch *to, const struct patch *from, int di, int dj)
{
    const int nx = from->nx, ny = from->ny;
    TRY(like(to, from, nx, ny));
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) /* the corners on opposite edges are the same */
            to->bed[corner(to, i, j)] =
                from->bed[corner(from, (i + nx - di % nx) % nx, (j + ny - dj % ny) % ny)];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            for (int k = 0; k < 3; k++)
                to->field[k][cell(to, (i + di) % nx, (j + dj) % ny)] =
                    from->field[k][cell(from, i, j)];
    return ERR_OK;
}

enum err patch_widened(struct patch *to, const struct patch *from, int ny)
{
    const size_t nx = (size_t)from->nx;
    TRY(like(to, from, from->nx, ny));
    for (int j = 0; j <= ny; j++)
        memcpy(to->bed + corner(to, 0, j), from->bed, (nx + 1) * sizeof *from->bed);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < ny; j++)
            memcpy(to->field[k] + cell(to, 0, j), from->field[k], nx * sizeof *from->field[k]);
    return ERR_OK;
}

struct gap patch_gap(const struct patch *a, const struct patch *b)
{
    struct gap g = {0};
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < cells(a); c++) {
            const double difference = fabs(a->field[k][c] - b->field[k][c]);
            const double apart = isfinite(difference) ? difference : (double)INFINITY;
            double *most = k ? &g.discharge : &g.level;
            g.values += apart > 0;
            *most = fmax(*most, apart);
        }
    return g;
}

double precision_epsilon(enum precision p)
{
    return p == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

void found_gap(struct findings *f, const struct variant *v, const char *what, int n,
               const struct gap *gap, double scale, const char *why)
{
    if (v->mode == STRICT)
        found(f, what, n, gap->values, 0, why);
    else
        found(f, what, n, gap->level / scale, 2e3 * precision_epsilon(v->precision),
              "fast mode contracts and reorders: rounding, which fronts over rough beds amplify");
}
