/* Ghost-cell expansion (Ding and He 2001; paper IV, 3): parts exchange ghost cells once in several steps only. Each then
 * has a margin of its neighbours' cells, as wide as what happens there in the meantime reaches, and computes them once more:
 *
 *     part 1's cells  . . . . . . . . | . . . .   part 0 computes 6 rows of part 1 in the first substep behind an exchange,
 *                     ----------------+           4 in the second, 2 in the third, and none in the last one before
 *     part 0's cells  . . . . . . . . . .         the next. Each substep takes two rows, its reach, off what is right.
 *
 * A sim's own cells are launched as ever, whatever lies around them. The strips beyond them are launched for themselves:
 * what is counted, found or kept of them (clipped water, fluxes through edges, wave speeds) is their owner's to count,
 * and goes where nobody looks. So strips are right to the last bit, or the cells beside them are not. */
#ifndef SHOAL_APRON_H
#define SHOAL_APRON_H

#include "core/sim/sim.h"

/* What --ghost-steps requests for a run in parts: passes from one exchange to the next (0: one
 * exchange before each substep), and the cells beyond a part's own that this needs. Fails with
 * ERR_USAGE if that is impossible. */
struct expansion {
    int passes, cells;
};
enum err apron_choose(const struct sim *whole, struct expansion *e);

/* What a part needs for that; nothing if it exchanges before each substep. */
enum err apron_create(struct sim *s);
void apron_destroy(struct sim *s);

/* Are cells stored for that? */
int apron_stores(const struct sim *s);

/* Before a batch of passes, the first of which exchanges; before each pass; the position in the
 * cycle, and the cycle's length. */
void apron_begin(struct sim *s);
void apron_pass(struct sim *s);
int apron_phase(const struct sim *s);
int apron_cycle(const struct sim *s);

/* At each filling of ghost cells: does this one exchange? */
enum err apron_next(struct sim *s, int *exchanges);

/* Does work on the sim's own cells, then on each strip beyond them that this substep computes;
 * for a strip the sim is changed as if the strip were all of it. Or only on the strips of all cells
 * beyond its own that the substep reads. */
typedef enum err cells_work(struct sim *s, const void *how);
enum err on_all_cells(struct sim *s, cells_work *work, const void *how);
enum err on_read_strips(struct sim *s, cells_work *work, const void *how);

#endif
