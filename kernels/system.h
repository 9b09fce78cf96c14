/* A system of equations, as data: its unknowns and their properties. One file each in kernels/systems; NAME.c
 * defines `const struct system system_NAME`. Code that means "the unknowns" asks here. */
#ifndef SHOAL_SYSTEM_H
#define SHOAL_SYSTEM_H

#include "kernels/kernel.h" /* enum precision */

enum { UNKNOWNS = 4, SYSTEM_VARIABLES = 8, CONSERVED = 2, GIVEN_FIELDS = 2, CONSTANTS = 3 };

/* An unknown that exceeds its bounds by this is meaningless: the run has broken down. */
#define BROKEN_BOUNDS 0.1

/* An unknown: what the kernels store of a cell. */
struct unknown {
    const char *name; /* of its array, in checkpoints and messages */
    int mirror_x,
        mirror_y;       /* 1; or -1 where a mirror, in which x or y is -x or -y, turns its sign */
    int exchanged;      /* number of the unknown that it becomes when x and y are exchanged */
    const char *option; /* that sets its start where a file does not; NULL: none */
    double low, high;   /* it is meaningful only between these; both 0: any number */
};

/* A constant field of a run: a coefficient in each cell, 0 or more. Its array and its option have its name. */
struct given_field {
    const char *name, *title, *units;
};

/* A constant number above 0 of a run. Kernels get its inverse: struct physics, made for water, holds the
 * first three in g, theta and kappa4 (core/sim/physics.c). */
struct given_number {
    const char *name, *title, *units; /* `name` is that of the option */
    double usual;                     /* default where a file may leave it out; else 0 */
};

/* How a variable follows from an unknown: the unknown as stored; or the level, or the depth, of the water
 * whose surface it measures from the level at rest (struct fields in args.h); or a quantity that water
 * carries, which has no value where there is no water. */
enum seen_as { AS_STORED, AS_LEVEL, AS_DEPTH, AS_CARRIED };

/* A variable of results, gauges and reports. */
struct system_variable {
    const char *name, *title;
    const char *standard; /* its name in the CF conventions; NULL: they have none */
    const char *units;
    int of; /* number of the unknown */
    enum seen_as as;
    int on_request; /* files have it only where --variables names it */
};

/* A quantity that only inflow and outflow change: the sum over all cells of the depth, or of the depth times an
 * unknown. Where there is no bed the first unknown stands for the depth. Or the sum, in integers, of what steps
 * have changed (SIM_BOOKED): it begins at 0. */
struct conserved {
    const char *name, *title, *units; /* units of the sum times a cell's area */
    int times; /* number of the unknown; 0, whose depth it is: the depth alone */
    int booked; /* added up by steps, in units of this constant's inverse: its number and 1; 0: it is not */
};

struct system {
    const char *name, *title, *cite;
    const char
        *extends; /* a system whose unknowns and variables are the first ones of this; NULL: none */
    const char *scheme; /* its default --scheme */
    const char *
        tuned_on; /* the case whose flow the tuner's kernels work on, unless --case is one of this system's */
    int over_bed; /* water over a bed; else its state is what its unknowns say, and there is no bed */
    const char *
        supplied; /* the kernel that finds what edges bring, where they may be SUPPLY and LOSS; NULL: not here */
    int carried; /* number of the unknown that the water carries (kernels/num/tracer.h); 0: none */
    struct unknown unknown[UNKNOWNS];
    int unknowns;
    struct system_variable variable[SYSTEM_VARIABLES]; /* in the order that files have them */
    int variables;
    struct conserved conserved[CONSERVED];
    int conserveds;
    struct given_field given[GIVEN_FIELDS];
    int givens;
    struct given_number constant[CONSTANTS];
    int constants;
    enum precision precision; /* of a run that does not choose one */
};

/* The name by which users know an unknown: that of the first variable that comes from it, or its own. */
static inline const char *unknown_name(const struct system *system, int unknown)
{
    for (int k = 0; k < system->variables; k++)
        if (system->variable[k].of == unknown)
            return system->variable[k].name;
    return system->unknown[unknown].name;
}

/* Likewise its title. */
static inline const char *unknown_title(const struct system *system, int unknown)
{
    for (int k = 0; k < system->variables; k++)
        if (system->variable[k].of == unknown)
            return system->variable[k].title;
    return system->unknown[unknown].name;
}

#endif
