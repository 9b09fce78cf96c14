/* Flow through lines (setup->sections): measured at the two doors of every scheme, where ghost
 * cells are filled before fluxes are computed, and where the flow across edges is settled after
 * them. */
#ifndef SHOAL_SIM_SECTIONS_H
#define SHOAL_SIM_SECTIONS_H

#include "core/problem/sections.h"
#include "core/sim/sim.h"

/* The cell beside a face, inside the domain, by column and row of the sim's domain; the axis across
 * the face there; and whether the cell lies before the face. */
struct section_cell {
    int i, j, axis, beyond;
};
struct section_cell sim_section_cell(const struct setup *setup, const struct section_face *f);

enum err sim_sections_create(struct sim *s, const struct setup *setup);
void sim_sections_destroy(struct sim *s);

/* Enqueue the kernel: for a state whose fluxes are computed next; for the fluxes since the last
 * settlement. */
enum err sim_sections_look(struct sim *s, int state, enum view v);
enum err sim_sections_book(struct sim *s, double share);

/* Volume through each of them since the start, m3. */
enum err sim_sections_volumes(struct sim *s, const struct section_list *of, double *volume);

#endif
