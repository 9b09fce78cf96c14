/* The balance of a run: volume inside, volume across edges, volume added by forcing. */
#ifndef SHOAL_BALANCE_H
#define SHOAL_BALANCE_H

#include "core/sim/sim.h"
#include "kernels/volume.h"

/* Adds the flux across open edges in this step to the balance: the sum over its substeps counts
 * with weight `share`. For schemes. */
enum err settle_balance(struct sim *s, double share);

/* Adds a conserved quantity's flux across edges to the balance; nothing if all are walls or
 * periodic. Part of sim_balance_of. */
enum err inflow_add(struct sim *s, int conserved, struct balance *b);

/* Adds a conserved quantity in the cells of an undivided sim, in the units of kernels/volume.h, to
 * the total. */
enum err volume_count(struct sim *s, int conserved, counter total[VOLUME_COUNTERS]);

/* Converts such a sum, with so many units per metre, to m3; and the number of units per metre times
 * a tracer's c. */
double sim_volume_of(const struct sim *s, const counter total[VOLUME_COUNTERS], double scale);
double sim_amount_units(const struct sim *s);

/* Carries parts to whole units, until less than a unit is left: kernels may divide a sum into both in several ways. */
void sim_volume_carry(counter sum[VOLUME_COUNTERS]);

/* Sums exactly an array of depths in cells, by its name, m3. Waits for the device. */
enum err sim_sum_depths(struct sim *s, const char *name, double *volume);

#endif
