#include "core/sim/sections.h"

#include <stdlib.h>

#include "core/sim/tiling.h"
#include "kernels/sections.h"

#define SUMS "section_sums"

struct sim_sections {
    int faces;                        /* of the sim's own cells */
    const struct section_entry *face; /* on the device, and so are: */
    real *flux;
    counter *sums; /* of the faces of all parts: each adds to its own */
};

struct section_cell sim_section_cell(const struct setup *setup, const struct section_face *f)
{
    const struct grid_info *g = &setup->grid;
    struct section_cell b = {f->i, f->j, f->axis, 0};
    if (setup->exchanged)
        b = (struct section_cell){f->j, f->i, !f->axis, 0};
    b.beyond = b.axis == 0 ? b.i == g->nx : b.j == g->ny;
    b.i -= b.beyond && b.axis == 0;
    b.j -= b.beyond && b.axis == 1;
    return b;
}

/* The faces beside the sim's own cells. Returns their number. */
static int list_faces(const struct sim *s, const struct setup *setup, struct section_entry *to)
{
    const struct section_list *l = setup->sections;
    int n = 0, number = 0;
    for (int k = 0; k < l->count; k++)
        for (int m = 0; m < l->place[k].faces; m++, number++) {
            const struct section_cell b = sim_section_cell(setup, &l->place[k].face[m]);
            const int i = b.i - s->window.i0, j = b.j - s->window.j0;
            if (i >= 0 && i < s->grid.nx && j >= 0 && j < s->grid.ny)
                to[n++] = (struct section_entry){.cell = tiling_offset(s, i, j),
                                                 .turned = at(s->pitch[TURNED], j, i),
                                                 .axis = b.axis,
                                                 .beyond = b.beyond,
                                                 .number = number};
        }
    return n;
}

enum err sim_sections_create(struct sim *s, const struct setup *setup)
{
    const struct section_list *l = setup->sections;
    enum err e = ERR_OK;
    void *p;
    if (!l)
        return ERR_OK;
    const size_t all = (size_t)sections_faces(l);
    const struct array sums = {SUMS, .joined = JOIN_SUM, .kept = 1,
                               .bytes = all * SECTION_SUMS * sizeof(counter)};
    struct sim_sections *x = s->sections = calloc(1, sizeof *x);
    struct section_entry *face = calloc(all, sizeof *face);
    if (!x || !face)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the sections");
    if (!e)
        e = sim_memory(s, &sums, &p);
    if (!e) {
        x->sums = p;
        x->faces = list_faces(s, setup, face);
    }
    if (!e && x->faces > 0)
        e = sim_constant(s, "section_faces", face, (size_t)x->faces * sizeof *face, &x->face);
    if (!e && x->faces > 0)
        e = sim_room(s, "section_fluxes", (size_t)x->faces * s->real_size, &p);
    if (!e && x->faces > 0)
        x->flux = p;
    free(face);
    return e;
}

void sim_sections_destroy(struct sim *s)
{
    free(s->sections);
    s->sections = NULL;
}

static struct sections_args args_of(const struct sim *s, enum section_task task)
{
    const struct sim_sections *x = s->sections;
    return (struct sections_args){
        .span = {x->faces, 1},
        .task = (int)task,
        .bed_pitch = s->pitch[PLAIN],
        .ground = s->ground,
        .face = x->face,
        .flux = x->flux,
        .sums = x->sums,
        .clock = s->clock,
        .p = s->physics,
    };
}

enum err sim_sections_look(struct sim *s, int state, enum view v)
{
    if (!s->sections || s->sections->faces == 0)
        return ERR_OK;
    struct sections_args a = args_of(s, SECTION_LOOK);
    /* Sweeps of a split scheme have fluxes in one direction each, but for its first step. */
    a.axes = !s->scheme->split || s->edges.euler ? 3 : v == TURNED ? 2 : 1;
    a.turned = v == TURNED;
    a.pitch = s->pitch[v];
    a.q = sim_fields(s, s->state[state], v);
    return sim_launch(s, &s->auxiliary[SECTIONS_KERNEL], &a, sizeof a);
}

enum err sim_sections_book(struct sim *s, double share)
{
    if (!s->sections || s->sections->faces == 0)
        return ERR_OK;
    struct sections_args a = args_of(s, SECTION_BOOK);
    a.share = share;
    return sim_launch(s, &s->auxiliary[SECTIONS_KERNEL], &a, sizeof a);
}

/* Integers first: their sums are exact. */
static double volume_of(const struct section_list *of, const struct section_place *p,
                        const counter *sums)
{
    long whole[2] = {0}, part[2] = {0};
    double volume = 0;
    for (int m = 0; m < p->faces; m++) {
        const struct section_face *f = &p->face[m];
        whole[f->axis] += f->sign * (long)sums[m * SECTION_SUMS + SECTION_WHOLE];
        part[f->axis] += f->sign * (long)sums[m * SECTION_SUMS + SECTION_PART];
    }
    for (int axis = 0; axis < 2; axis++)
        volume += (axis == 0 ? of->dy : of->dx) / SECTION_UNITS *
                  ((double)whole[axis] + (double)part[axis] / SECTION_PARTS);
    return volume;
}

enum err sim_sections_volumes(struct sim *s, const struct section_list *of, double *volume)
{
    const struct array *const a = sim_find_array(s, SUMS);
    const counter *next;
    counter *sums = malloc(a->bytes);
    if (!sums)
        FAIL(MEMORY, "no memory for the sections");
    const enum err e = sim_keep(s, a, sums);
    next = sums;
    for (int k = 0; k < of->count && !e; k++) {
        volume[k] = volume_of(of, &of->place[k], next);
        next += (size_t)of->place[k].faces * SECTION_SUMS;
    }
    free(sums);
    return e;
}
