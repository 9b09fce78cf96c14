/* What a run solves: a case or a file, with what the configuration changes about it. */
#ifndef SHOAL_PROBLEM_H
#define SHOAL_PROBLEM_H

#include "core/netcdf/netcdf_file.h"
#include "core/problem/input_reader.h"
#include "core/problem/rain.h"
#include "core/problem/sections.h"
#include "core/problem/setup.h"
#include "core/problem/soil.h"
#include "core/problem/springs.h"

/* A system's given fields, and initial unknowns set by options, in rows of cells; null where the
 * value is one number, or the case's. Each in the order of the system's table. */
struct coefficients {
    double *field[GIVEN_FIELDS], *start[UNKNOWNS];
    double number[GIVEN_FIELDS], start_number[UNKNOWNS];
    char hash[GIVEN_FIELDS + UNKNOWNS]
             [16]; /* of the fields, then of the initial unknowns; "" where there is none */
};

struct problem {
    struct setup setup;
    struct config config; /* the configuration it was opened with, and what `auto` means in it */
    const struct flow_case *flow_case; /* null for a file */
    const struct input_reader *reader; /* while it is opened; may be null */
    struct nc_input input;
    double *tracer_of; /* c in each cell, where a file has it; else null */
    struct coefficients coefficients;
    struct edge_plan edges;
    struct rain rain; /* without rows and fields where there is none */
    struct soil soil;
    struct spring_list springs;
    struct section_list sections;
    char name[NAME_LENGTH * 4]; /* for summary and output: the case, or the file's base name */
};

/* Fills `p` from the configuration, with a copy of it whose reconstruction is not `auto`; `p` must
 * not move while the setup is in use. Free with problem_close, also after a failure. */
enum err problem_open(struct problem *p, const struct config *c);

/* The same in several processes with equal configurations. A null reader: each reads for itself. */
enum err problem_open_together(struct problem *p, const struct config *c,
                               const struct input_reader *reader);

/* The same for a case that need not be registered; the configuration's `input` does not count. */
enum err problem_open_case(struct problem *p, const struct flow_case *f, const struct config *c);

void problem_close(struct problem *p);

#endif
