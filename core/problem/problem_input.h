/* What a problem reads from files by its reader. */
#ifndef SHOAL_PROBLEM_INPUT_H
#define SHOAL_PROBLEM_INPUT_H

#include "core/problem/problem.h"

/* The file of the configuration: with a state, or terrain. */
enum err problem_read_state(struct problem *p);
enum err problem_read_terrain(struct problem *p);

/* As manning_choose, soil_choose. */
enum err problem_read_manning(struct problem *p);
enum err problem_read_soil(struct problem *p, const struct water_setting *from, int *given);

#endif
