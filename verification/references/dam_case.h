/* Shared by the cases of a dam break with a computed reference: the initial water, the reference,
 * and most of their tables. Before including this a case defines its line, LINE (members of struct
 * line), and its numbers of CELLS and TIMES. */
#ifndef SHOAL_DAM_CASE_H
#define SHOAL_DAM_CASE_H

#include "verification/references/dam.h"
#include "verification/references/line.h"

static const struct line line = {LINE, .cells = CELLS, .times = TIMES, .gravity = 9.81};

static inline struct flow initial(double x, double y)
{
    return line_start(&line, x, y);
}

static struct reference reference = {
    .doubles = LINE_DOUBLES(CELLS, TIMES), .of = &line, .compute = line_compute, .at = line_flow};

#define REACHED   "1.5 times what rk2 reached in f64"
#define KINKS     "the solution has kinks and a bore: first order, less a margin"
#define CONSERVED "mass and momentum fix the front's speed; "

/* Members of every case's table, and of those where a column of water falls apart in a square. */
#define DAM_BREAK                                                                       \
    .gravity = 9.81, .boundary = {WALL, WALL, WALL, WALL}, .bed = flat_bed, .jumps = 1, \
    .initial = initial, .verify = &verify
#define CIRCULAR_DAM(side)                                                                    \
    DAM_BREAK, .cite = "Amundsen 2014, section " SECTION, .nx = 500, .ny = 500, .lx = (side), \
               .ly = (side), .x0 = -0.5 * (side), .y0 = -0.5 * (side)

/* If its ground is dry. */
#define DAM_WET(dam) .wet = {-(dam), dam, -(dam), dam}

/* And of their verification, except the sizes and the checks. */
#define DAM_BREAK_RUNS .checks = checks, .reference = &reference, .snapshots = TIMES

#endif
