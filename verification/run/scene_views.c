/* A scene mirrored, rotated, shifted and widened. */
#include <string.h>

#include "verification/run/scene.h"

/* The same attributes with its own arrays. */
static enum err like(struct scene *to, const struct scene *from, int nx, int ny)
{
    struct scene own;
    TRY(scene_create_for(&own, from->system, nx, ny));
    *to = *from;
    to->nx = nx;
    to->ny = ny;
    to->bed = own.bed;
    memcpy(to->field, own.field, sizeof own.field);
    memcpy(to->force, own.force, sizeof own.force);
    memcpy(to->given, own.given, sizeof own.given);
    to->rough = own.rough;
    return ERR_OK;
}

/* The transformed position of cell or corner (i, j) of nx x ny. */
static void place(int how, int nx, int ny, int *i, int *j)
{
    int x = how & MIRROR_X ? nx - 1 - *i : *i, y = how & MIRROR_Y ? ny - 1 - *j : *j;
    *i = how & EXCHANGE ? y : x;
    *j = how & EXCHANGE ? x : y;
}

/* The effect of mirrors on an unknown. */
static int sign(const struct system *system, int unknown, int how)
{
    const struct unknown *u = &system->unknown[unknown];
    return (how & MIRROR_X ? u->mirror_x : 1) * (how & MIRROR_Y ? u->mirror_y : 1);
}

static void see_edges(struct scene *to, const struct scene *from, int how)
{
    for (int e = 0; e < EDGES; e++) {
        const int flip = (how & (e <= EAST ? MIRROR_X : MIRROR_Y)) ? 1 : 0;
        const int seen = (e ^ flip) ^ (how & EXCHANGE ? 2 : 0); /* west and south, east and north */
        const struct system *const system = to->system;
        to->boundary[seen] = from->boundary[e];
        to->edge[seen] = from->edge[e];
        for (int k = 0; k < system->unknowns; k++)
            to->edge[seen].of[how & EXCHANGE ? system->unknown[k].exchanged : k] =
                sign(system, k, how) * from->edge[e].of[k];
    }
}

/* The unknowns, or their forcing, in cell `at` of one scene, `seen` in the other. */
static void see_values(const struct system *system, double *const to[UNKNOWNS], size_t seen,
                       double *const from[UNKNOWNS], size_t at, int how)
{
    for (int k = 0; k < system->unknowns; k++)
        to[how & EXCHANGE ? system->unknown[k].exchanged : k][seen] =
            sign(system, k, how) * from[k][at];
}

/* Roughness and what the system is given, likewise. */
static void see_inputs(struct scene *to, size_t seen, const struct scene *from, size_t at)
{
    to->rough[seen] = from->rough[at];
    for (int k = 0; k < from->system->givens; k++)
        to->given[k][seen] = from->given[k][at];
}

enum err scene_seen(struct scene *to, const struct scene *from, int how)
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
            to->bed[scene_corner(to, x, y)] = from->bed[scene_corner(from, i, j)];
        }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int x = i, y = j;
            place(how, nx, ny, &x, &y);
            see_values(to->system, to->field, scene_cell(to, x, y), from->field,
                       scene_cell(from, i, j), how);
            see_values(to->system, to->force, scene_cell(to, x, y), from->force,
                       scene_cell(from, i, j), how);
            see_inputs(to, scene_cell(to, x, y), from, scene_cell(from, i, j));
        }
    return ERR_OK;
}

enum err scene_shifted(struct scene *to, const struct scene *from, int di, int dj)
{
    const int nx = from->nx, ny = from->ny;
    TRY(like(to, from, nx, ny));
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) /* the corners on opposite edges are the same */
            to->bed[scene_corner(to, i, j)] =
                from->bed[scene_corner(from, (i + nx - di % nx) % nx, (j + ny - dj % ny) % ny)];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const size_t there = scene_cell(to, (i + di) % nx, (j + dj) % ny);
            see_values(to->system, to->field, there, from->field, scene_cell(from, i, j), 0);
            see_values(to->system, to->force, there, from->force, scene_cell(from, i, j), 0);
            see_inputs(to, there, from, scene_cell(from, i, j));
        }
    return ERR_OK;
}

enum err scene_widened(struct scene *to, const struct scene *from, int ny)
{
    const size_t nx = (size_t)from->nx;
    TRY(like(to, from, from->nx, ny));
    for (int j = 0; j <= ny; j++)
        memcpy(to->bed + scene_corner(to, 0, j), from->bed, (nx + 1) * sizeof *from->bed);
    for (int j = 0; j < ny; j++) {
        const size_t row = scene_cell(to, 0, j);
        for (int k = 0; k < from->system->unknowns; k++) {
            memcpy(to->field[k] + row, from->field[k], nx * sizeof *from->field[k]);
            memcpy(to->force[k] + row, from->force[k], nx * sizeof *from->force[k]);
        }
        memcpy(to->rough + row, from->rough, nx * sizeof *from->rough);
        for (int k = 0; k < from->system->givens; k++)
            memcpy(to->given[k] + row, from->given[k], nx * sizeof *from->given[k]);
    }
    return ERR_OK;
}

enum err scene_otherwise(struct scene *to, const struct scene *from, const struct aspect *a)
{
    if (a->rows)
        return scene_widened(to, from, a->rows);
    return a->di || a->dj ? scene_shifted(to, from, a->di, a->dj) : scene_seen(to, from, a->how);
}
