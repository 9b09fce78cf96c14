/* Rows of the settled water of a block, for scans that compare neighbours: each cell is computed once. */
#include "core/problem/initial_state_parts.h"

void settled_row(const struct initial *block, int j, struct settled_row *row)
{
    row->j = j;
    row->n = block->nx + (block->window.i0 + block->nx < block->setup.grid.nx);
    for (int i = 0; i < row->n; i++) {
        const double centre = initial_get(block, block->centre, i, j);
        row->rest[i] = initial_rest_above(block, centre);
        row->eta[i] = initial_get(block, block->field[0], i, j);
        row->depth[i] = initial_rounded(block, row->eta[i] - initial_floor_at(block, centre));
    }
}
