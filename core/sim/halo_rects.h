/* The rectangles of ghost cells that a part sends and receives, in kernels' form. */
#ifndef SHOAL_HALO_RECTS_H
#define SHOAL_HALO_RECTS_H

#include "core/mesh/plan.h"
#include "core/sim/sim.h"
#include "kernels/halo.h"

/* Number k of a buffer of one of the parts, as reals or as words that hold them. */
void *halo_number(const struct sim *s, void *buffer, size_t k);
void *halo_word(const struct sim *s, void *words, size_t k);

/* Appends the pieces of a rectangle, one in each tile, whose numbers `whole` describes; of them only what lies in
 * `wanted`. Returns how many there are. */
int halo_lay(const struct sim *s, const struct window *w, const struct window *wanted, enum view v,
             const struct halo_rect *whole, struct halo_rect *to);

/* The cells of a copy that any kernel reads, at its source (`sent`) or among the receiver's ghosts. */
struct window halo_wanted(const struct sim *s, int to, const struct plan_copy *c, int sent);

/* Gives the rectangle of copy `number` what a periodic edge needs: levels at rest differ across it. */
enum err halo_levels(struct sim *s, const struct plan_copy *c, int number, struct halo_rect *to);

/* Notes the periodic edges that all these ghost cells lie beyond. */
void halo_way_round(const struct sim *s, const struct plan_copy *c, struct halo_rect *to);

#endif
