/* The balance of a run: what is inside, what crossed edges, what forcing added. */
#ifndef SHOAL_BALANCE_H
#define SHOAL_BALANCE_H

#include "core/sim/sim.h"
#include "kernels/volume.h"

/* Adds what crossed open edges in this step to the balance: the sum over the fluxes of its substeps
 * counts with `share`. For schemes. */
enum err settle_balance(struct sim *s, double share);

/* Adds to the balance of a conserved quantity what crossed edges; nothing where all are walls or periodic. Part of
 * sim_balance_of. */
enum err inflow_add(struct sim *s, int conserved, struct balance *b);

/* Adds a conserved quantity in the cells of a sim in one piece, in the units of kernels/volume.h, to the total. */
enum err volume_count(struct sim *s, int conserved, counter total[VOLUME_COUNTERS]);

/* What such a sum is, with so many units per metre, m3; and how many there are per metre times c of a tracer. */
double sim_volume_of(const struct sim *s, const counter total[VOLUME_COUNTERS], double scale);
double sim_amount_units(const struct sim *s);

/* Adds up, exactly, an array of depths in cells, by its name, m3. Waits for the device. */
enum err sim_sum_depths(struct sim *s, const char *name, double *volume);

#endif
