/* Shared by the files that create a simulation. Private to them. */
#ifndef SHOAL_SIM_PARTS_H
#define SHOAL_SIM_PARTS_H

#include "core/sim/sim.h"

/* Exchanges x and y of a problem; the sim keeps its original source and new segments. */
enum err sim_turn(struct sim *s, struct setup *t);

/* `devices` of a sim that has its backend. */
struct ranks;
enum err sim_choose_devices(struct sim *s, const struct ranks *ranks);

/* Its scheme and system. */
enum err sim_choose_scheme(struct sim *s, const struct setup *setup);

/* Fails with ERR_MEMORY if the sim, which knows its parts and row layout, does not fit into the
 * free memory. */
enum err sim_check_memory(const struct sim *s);

/* For sim.c and parts.c. Row layout; then kernels and memory, for a sim that knows its problem and
 * has its initial state; after sim_upload the rest of its content; and its end. */
void sim_lay_out(struct sim *s);
enum err sim_load(struct sim *s);
enum err sim_furnish(struct sim *s, const struct setup *setup);
void sim_release(struct sim *s); /* everything but the struct itself */

/* Its arrays, of a sim whose kernels are loaded, and that has its initial state. */
enum err sim_allocate(struct sim *s);

/* Room for the wave speeds of its scheme's kernels, of a sim that knows their blocks. */
enum err sim_allocate_speeds(struct sim *s, const char *name);

/* `ground` and `roughness` of a sim whose arrays have their memory. */
void sim_find_ground(struct sim *s);

/* Enqueues passes; records some for later, if possible and not yet done. */
enum err sim_enqueue(struct sim *s, long passes);
enum err sim_prepare_graph(struct sim *s);

/* Forgets the graph if tiles have changed what its launches depend on. */
void sim_forget_graph(struct sim *s);

/* Fails with ERR_STOPPED. */
enum err sim_stopped(const struct sim *s);

/* `now` of a sim that has these, and its initial state: the steps' limits. */
void sim_start_clock(struct sim *s);

/* `physics` and `volume_units` of a sim that has its initial state. */
void sim_set_physics(struct sim *s, const struct setup *setup);

#endif
