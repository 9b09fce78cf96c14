/* Parts of core/sim/kernels.c: the blocks of kernels. Those of a run are told by sim_describe_blocks and sim_blocks_from. */
#ifndef SHOAL_SIM_KERNEL_BLOCKS_H
#define SHOAL_SIM_KERNEL_BLOCKS_H

#include "core/sim/sim.h"

/* The default block of a kernel. The debug orders imitate a GPU's threads, and use its blocks. */
struct block kernel_blocks_default(const struct sim *s, const struct kernel *k);

/* The block that a recipe starts with: the one that --block chose, by the kernel's name or its stem; else the default. */
void kernel_blocks_choose(const struct sim *s, struct sim_kernel *k);

/* Blocks of the tuning database take the place of defaults in the scheme's kernels, and the log says so. */
enum err kernel_blocks_take_tuned(struct sim *s);

/* Reports names in --block that this run does not launch. */
void kernel_blocks_note_unused(struct sim *s);

#endif
