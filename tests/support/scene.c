/* Scenes that fail the test where they cannot be made, and their differences in words. */
#include "tests/support/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/problem/problem.h"
#include "core/registry/registry.h"

static struct scene made(enum err e, struct scene s)
{
    if (e)
        fail_msg("%s", err_message());
    return s;
}

struct scene new_scene(int nx, int ny)
{
    struct scene s;
    enum err e = scene_create(&s, nx, ny);
    return made(e, s);
}

struct scene new_rough(int nx, int ny)
{
    struct scene s;
    enum err e = scene_rough(&s, nx, ny);
    return made(e, s);
}

struct scene new_view(const struct scene *s, int how)
{
    struct scene to;
    enum err e = scene_seen(&to, s, how);
    return made(e, to);
}

struct scene new_shifted(const struct scene *s, int di, int dj)
{
    struct scene to;
    enum err e = scene_shifted(&to, s, di, dj);
    return made(e, to);
}

struct scene new_widened(const struct scene *s, int ny)
{
    struct scene to;
    enum err e = scene_widened(&to, s, ny);
    return made(e, to);
}

static void sample_cells(struct scene *s, const struct source *from)
{
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const size_t k = scene_cell(s, i, j);
            const struct flow f = from->water(from->context, i, j);
            const double h = fmax(0, f.w - scene_bed_centre(s, F64, i, j));
            s->field[0][k] = f.w;
            s->field[1][k] = h * f.u;
            s->field[2][k] = h * f.v;
            if (s->forced) {
                const struct forcing add = from->force(from->context, i, j);
                for (int u = 0; u < 3; u++)
                    s->force[u][k] = add.of[u];
            }
        }
}

struct scene new_of_case(const char *name, int nx, int ny)
{
    struct config c;
    struct problem p;
    config_defaults(&c);
    snprintf(c.input, sizeof c.input, "%s", name);
    c.nx = nx;
    c.ny = ny;
    if (!find_case(name))
        fail_msg("there is no case '%s'", name);
    if (problem_open(&p, &c))
        fail_msg("%s", err_message());
    struct scene s = new_scene(nx, ny);
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
            s.bed[scene_corner(&s, i, j)] = from->bed(from->context, i, j);
    sample_cells(&s, from);
    problem_close(&p);
    return s;
}

int differ(const struct scene *expected, const struct scene *got, int exactly, char *text, size_t n)
{
    if (expected->nx != got->nx || expected->ny != got->ny) {
        snprintf(text, n, "%d x %d cells, not %d x %d", got->nx, got->ny, expected->nx,
                 expected->ny);
        return 1;
    }
    const struct gap g = scene_gap(expected, got, exactly);
    snprintf(text, n, "%s of cell (%d, %d) is %.17g, not %.17g; %.0f of %zu values differ",
             unknown_name(got->system, g.field), g.i, g.j, g.got, g.expected, g.values,
             (size_t)got->system->unknowns * scene_cell(got, 0, got->ny));
    return g.values > 0;
}

struct scene scene_collapse(int along_x)
{
    struct scene s = new_scene(31, 26);
    s.dx = along_x ? 0.6 : 1.3;
    s.dy = along_x ? 1.3 : 0.6;
    s.kappa = 0.05;
    s.manning = 0.01;
    s.boundary[WEST] = s.boundary[NORTH] = OPEN;
    scene_random_bed(&s, -0.4, 0.3, 5);
    scene_level(&s, -0.1);
    scene_dam(&s, 12, 15, 7, 3);
    scene_force(&s, -0.01, 0, 9);
    return s;
}
