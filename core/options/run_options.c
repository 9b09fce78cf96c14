/* The options of `shoal run`. */
#include "core/options/run_config.h"

#include <float.h>

#include "core/mesh/grid.h"

enum { MOST_THREADS = 4096, MOST_STEPS_BETWEEN = 1000000 };
static const double MOST_STEPS = 1e15;

static const char *const auto_word[] = {"auto", NULL};
static const char *const exchange_words[] = {"auto", "peers", "nccl", "host", "mpi", NULL};
static const char *const order_words[] = {"forward", "reversed", "shuffled", NULL};
static const char *const switch_words[] = {"off", "on", NULL};
const char *const positivity_names[] = {[BY_COURANT] = "courant", [BY_DRAINING] = "draining", NULL};
static const char *const sweep_words[] = {[SWEEP_XY] = "xy", [SWEEP_YX] = "yx", NULL};
static const char *const early_exit_words[] = {
    [EARLY_EXIT_AUTO] = "auto", [EARLY_EXIT_ON] = "on", [EARLY_EXIT_OFF] = "off", NULL};
static const char *const domain_words[] = {
    [DOMAIN_FULL] = "full", [DOMAIN_SPARSE] = "sparse", NULL};
static const char *const graphs_words[] = {
    [GRAPHS_AUTO] = "auto", [GRAPHS_ON] = "on", [GRAPHS_OFF] = "off", NULL};
static const char *const terrain_at_words[] = {
    [TERRAIN_AT_CENTRES] = "centres", [TERRAIN_AT_CORNERS] = "corners", NULL};
static const char *const positive_words[] = {[POSITIVE_UP] = "up", [POSITIVE_DOWN] = "down", NULL};
static const char *const holes_words[] = {[HOLES_ERROR] = "error", [HOLES_WALL] = "wall", NULL};

/* Where they are stored, by the macros of core/options/options.h. */
#define OWN(member, kind)        OPTION_IN(struct config, member, kind)
#define FLAG(member)             FLAG_IN(struct config, member)
#define CHOICE(member, words)    CHOICE_IN(struct config, member, words)
#define NAME(member, listed)     NAME_IN(struct config, member, listed)
#define COUNT(member, from, to)  COUNT_IN(struct config, member, from, to)
#define NUMBER(member, from, to) NUMBER_IN(struct config, member, from, to)
#define ABOVE(member, from, to)  ABOVE_IN(struct config, member, from, to)

/* For a row that applies to these equations only. */
#define WATER    .system = "shallow_water"
#define SEDIMENT .system = "sediment"
/* The four share a member, which option_edge finds. */
#define EDGE(which) .type = &option_edge, .edge = (which), .unset = "the case's; wall for a file"

const struct option run_options[] = {
    {"nx", "N", "cells from west to east", .group = GROUP_FLOW, COUNT(nx, 1, GRID_MOST),
     .unset = "the case's; from --ny by the shape of the domain"},
    {"ny", "N", "cells from south to north", .group = GROUP_FLOW, COUNT(ny, 1, GRID_MOST),
     .unset = "the case's; from --nx by the shape of the domain"},
    {"t-end", "SECONDS", "simulated time at which the run ends", .group = GROUP_FLOW,
     NUMBER(t_end, 0, DBL_MAX), .unset = "the case's; required for a file"},
    {"gravity", "M/S2", "gravitational acceleration", .group = GROUP_FLOW, WATER,
     ABOVE(gravity, 0, DBL_MAX), .unset = "the case's; 9.81 for a file"},
    {"manning", "X|FILE|FORMULA", "Manning's n of the bed, s/m^(1/3), 0 to 1", .group = GROUP_FLOW,
     WATER, OWN(manning, field), .low = 0, .high = DBL_MAX, .unset = "the case's; 0 for a file"},
    {"bc-west", "KIND", "western edge; the kinds are below", .group = GROUP_FLOW, EDGE(WEST)},
    {"bc-east", "KIND", "eastern edge", .group = GROUP_FLOW, EDGE(EAST)},
    {"bc-south", "KIND", "southern edge", .group = GROUP_FLOW, EDGE(SOUTH)},
    {"bc-north", "KIND", "northern edge", .group = GROUP_FLOW, EDGE(NORTH)},
    {"level", "X|FILE|FORMULA", "initial water level over terrain, m", .group = GROUP_FLOW, WATER,
     OWN(level, field), .low = -DBL_MAX, .high = DBL_MAX, .unset = "the file's own w or h"},
    {"depth", "X|FILE|FORMULA", "initial water depth over terrain, m", .group = GROUP_FLOW, WATER,
     OWN(depth, field), .low = 0, .high = DBL_MAX, .unset = "the file's own w or h"},
    {"rain", "MM/H|FILE|FORMULA", "rain, mm/h: a series, a raster, fields in time, or of x and y",
     .group = GROUP_FLOW, WATER, OWN(rain, field), .low = 0, .high = DBL_MAX, .unset = "none"},
    {"infiltration", "MM/H|FILE|FORMULA", "infiltration rate, or the soil's conductivity, mm/h",
     .group = GROUP_FLOW, WATER, OWN(infiltration, field), .low = 0, .high = DBL_MAX,
     .unset = "none"},
    {"suction", "MM|FILE|FORMULA", "Green and Ampt's suction at the wetting front, mm",
     .group = GROUP_FLOW, WATER, OWN(suction, field), .low = 0, .high = DBL_MAX, .unset = "none"},
    {"deficit", "X|FILE|FORMULA", "share of the soil's volume that water can still fill, 0 to 1",
     .group = GROUP_FLOW, WATER, OWN(deficit, field), .low = 0, .high = DBL_MAX, .unset = "none"},
    {"source", "NAME,X,Y,Q[,RADIUS]", "adds Q m3/s: a number or a series; below 0 a sink; repeats",
     .group = GROUP_FLOW, WATER, .type = &option_source, .unset = "none"},
    {"tracer", "X|FILE", "initial concentration of a tracer", .group = GROUP_FLOW, WATER,
     OWN(tracer, field), .low = 0, .high = DBL_MAX, .unset = "the file's c; else none"},
    {"alpha", "X|FILE|FORMULA", "sediment: diffusion coefficient of sand, m2/s",
     .group = GROUP_FLOW, SEDIMENT, OWN(alpha, field), .low = 0, .high = DBL_MAX,
     .unset = "the case's; a file needs it"},
    {"beta", "X|FILE|FORMULA", "sediment: diffusion coefficient of mud, m2/s", .group = GROUP_FLOW,
     SEDIMENT, OWN(beta, field), .low = 0, .high = DBL_MAX, .unset = "the case's; a file needs it"},
    {"sand", "X|FILE|FORMULA", "sediment: initial share of sand, 0 to 1", .group = GROUP_FLOW,
     SEDIMENT, OWN(sand, field), .low = 0, .high = 1, .unset = "the case's or the file's s"},
    {"compaction", "CS,CM", "sediment: compaction ratios of sand and of mud", .group = GROUP_FLOW,
     SEDIMENT, OWN(compaction, pair), .unset = "the case's; 1,1 for a file"},
    {"layer", "METRES", "sediment: thickness of the active layer", .group = GROUP_FLOW, SEDIMENT,
     ABOVE(layer, 0, DBL_MAX), .unset = "the case's; a file needs it"},
    {"terrain-at", "WHERE", "terrain values are at centres or corners of cells",
     .group = GROUP_FLOW, CHOICE(terrain_at, terrain_at_words), .unset = "the file's; centres"},
    {"positive", "up|down", "terrain values are heights, or depths below the level 0",
     .group = GROUP_FLOW, CHOICE(positive, positive_words), .initial = "up"},
    {"holes", "WHAT", "terrain without data is an error, or a wall 100 m above the rest",
     .group = GROUP_FLOW, WATER, CHOICE(holes, holes_words), .initial = "error"},

    {"scheme", "NAME", "see `shoal list schemes`; auto: the fastest to an error",
     .group = GROUP_METHOD, NAME(scheme, LIST_SCHEMES), .choices = auto_word,
     .unset = "rk2, basin_cons"},
    {"limiter", "NAME", "limits slopes; see `shoal list limiters`", .group = GROUP_METHOD, WATER,
     NAME(limiter, LIST_LIMITERS), .initial = "minmod"},
    {"theta", "NUMBER", "parameter of the limiter, 1 to 2", .group = GROUP_METHOD, WATER,
     NUMBER(theta, 1, 2), .initial = "1.3"},
    {"flux", "NAME", "numerical flux; see `shoal list fluxes`", .group = GROUP_METHOD, WATER,
     NAME(flux, LIST_FLUXES), .initial = "central_upwind"},
    {"reconstruction", "NAME",
     "see `shoal list reconstructions`; auto: audusse over terrain, else kp", .group = GROUP_METHOD,
     WATER, NAME(reconstruction, LIST_RECONSTRUCTIONS), .choices = auto_word, .initial = "auto"},
    {"cfl", "NUMBER", "Courant number, at most 1; of hancock 0.45, of sediment 0.9",
     .group = GROUP_METHOD, ABOVE(cfl, 0, 1), .initial = "0.25", .unset = "the scheme's"},
    {"positivity", "HOW", "keeps depths above 0: courant, a short step; or draining, at 0.45",
     .group = GROUP_METHOD, WATER, CHOICE(positivity, positivity_names), .initial = "courant"},
    {"kappa", "METRES", "velocities are damped at smaller depths", .group = GROUP_METHOD, WATER,
     ABOVE(kappa, 0, DBL_MAX), .unset = "the case's; see the log for a file"},
    {"dt", "SECONDS", "fixed time step", .group = GROUP_METHOD, ABOVE(dt, 0, DBL_MAX),
     .unset = "from --cfl, step by step"},
    {"steps", "N", "ends the run after N steps, ds2 after N or N + 1", .group = GROUP_METHOD,
     OWN(steps, long), .low = 1, .high = MOST_STEPS, .unset = "no limit"},
    {"dt-factor", "NUMBER", "share of the last limit to try (split, fused, hydrographs)",
     .group = GROUP_METHOD, WATER, ABOVE(dt_factor, 0, 1), .initial = "0.95"},
    {"sweep", "ORDER", "split schemes: first direction, xy or yx", .group = GROUP_METHOD, WATER,
     CHOICE(sweep, sweep_words), .initial = "xy"},

    {"backend", "NAME", "auto, cpu or cuda; see `shoal info`", .group = GROUP_MACHINE,
     NAME(backend, LIST_BACKENDS), .choices = auto_word, .initial = "auto"},
    {"device", "N", "which GPU", .group = GROUP_MACHINE, COUNT(device, 0, MOST_DEVICES - 1),
     .initial = "0"},
    {"devices", "N,N|all", "several GPUs: a part on each", .group = GROUP_MACHINE,
     OWN(devices, devices), .unset = "that of --device"},
    {"exchange", "HOW", "auto; GPUs by peers or nccl, else host, processes by mpi",
     .group = GROUP_MACHINE, CHOICE(exchange, exchange_words), .initial = "auto"},
    {"threads", "N", "CPU threads", .group = GROUP_MACHINE, COUNT(threads, 1, MOST_THREADS),
     .unset = "all cores"},
    {"parts", "N|CxR", "splits the domain: N strips, columns x rows, or shares, 1:2:1",
     .group = GROUP_MACHINE, OWN(parts, parts), .unset = "one per GPU"},
    {"ghost-steps", "K", "parts exchange once in K steps; auto, substep: before every substep",
     .group = GROUP_MACHINE, OWN(ghost_steps, ghost_steps), .initial = "auto"},
    {"exchange-timeout", "SECONDS", "how long processes wait for one that does not answer",
     .group = GROUP_MACHINE, ABOVE(exchange_timeout, 0, DBL_MAX), .initial = "60"},
    {"tile", "W|WxH", "stores the cells in tiles of at most this size", .group = GROUP_MACHINE,
     OWN(tile, tile), .unset = "none; sparse: 60 or 112"},
    {"domain", "WHICH", "full, or sparse: stores only tiles that may change",
     .group = GROUP_MACHINE, CHOICE(domain, domain_words), .initial = "full"},
    {"tiles-most", "N", "largest number of tiles that a sparse domain stores",
     .group = GROUP_MACHINE, COUNT(tiles_most, 1, GRID_MOST), .unset = "what fits into memory"},
    {"precision", "P", "f32 or f64", .group = GROUP_MACHINE, OWN(precision, precision),
     .choices = precision_names, .unset = "f32; f64 for sediment"},
    {"mode", "MODE", "strict (the same bits everywhere) or fast", .group = GROUP_MACHINE,
     CHOICE(mode, mode_names), .initial = "fast"},
    {"early-exit", "WHEN", "skip blocks that are dry or at rest: auto times it, on, off",
     .group = GROUP_MACHINE, WATER, CHOICE(early_exit, early_exit_words), .initial = "auto"},
    {"graphs", "WHEN", "launch many steps at once, as CUDA graphs: auto, on, off",
     .group = GROUP_MACHINE, CHOICE(graphs, graphs_words), .initial = "auto"},
    {"block", "KERNEL=WxH", "cells of a kernel's thread block; may repeat", .group = GROUP_MACHINE,
     OWN(blocks, block), .unset = "see --tuned"},
    {"tuned", "on|off", "uses the blocks that `shoal tune` found, unless --block names one",
     .group = GROUP_MACHINE, CHOICE(tuned, switch_words), .initial = "on"},
    {"march", "CPU", "processor to compile CPU kernels for", .group = GROUP_MACHINE,
     OWN(march, processor), .initial = "native"},

    {"output", "FILE.nc", "writes the final state as netCDF", .group = GROUP_OUTPUT,
     OWN(output, path), .unset = "no output"},
    {"every", "SECONDS", "also intermediate states, in simulated time", .group = GROUP_OUTPUT,
     ABOVE(every, 0, DBL_MAX), .unset = "the final state only"},
    {"start", "DATE", "start date, in UTC: gives its times a calendar", .group = GROUP_OUTPUT,
     OWN(start, moment), .unset = "times are seconds"},
    {"variables", "LIST", "variables to write besides the bed: `shoal list variables`",
     .group = GROUP_OUTPUT, OWN(variables, words), .list = LIST_VARIABLES, .unset = "the usual"},
    {"region", "X0,Y0,X1,Y1", "maps show only cells whose centres it contains",
     .group = GROUP_OUTPUT, OWN(region, area), .unset = "the whole domain"},
    {"deflate", "LEVEL", "compression of maps: 0 none, 9 most", .group = GROUP_OUTPUT,
     COUNT(deflate, 0, 9), .initial = "1"},
    {"fill-absent", NULL, "sparse domains: maps also cover absent tiles", .group = GROUP_OUTPUT,
     FLAG(fill_absent)},
    {"maxima", NULL, "also maps of largest depth, speed and flux, of arrival and duration",
     .group = GROUP_OUTPUT, WATER, FLAG(maxima)},
    {"hazard", NULL, "also the largest hazard to people, h (|u| + 0.5), and its class",
     .group = GROUP_OUTPUT, WATER, FLAG(hazard)},
    {"debris", "FACTOR", "hazard: what debris adds where it floats or is swept away, 0 to 1",
     .group = GROUP_OUTPUT, WATER, NUMBER(debris, 0, 1), .initial = "0"},
    {"maxima-every", "STEPS", "steps between samples for maxima", .group = GROUP_OUTPUT,
     COUNT(maxima_every, 1, MOST_STEPS_BETWEEN), .initial = "10"},
    {"wet-depth", "METRES", "maxima: cells deeper than this are wet", .group = GROUP_OUTPUT, WATER,
     NUMBER(wet_depth, 0, DBL_MAX), .initial = "0.01"},
    {"gauge", "NAME,X,Y", "also the state at a point, as a series; may repeat",
     .group = GROUP_OUTPUT, OWN(gauges, gauge), .unset = "none"},
    {"gauges", "FILE", "the same for a list, NAME X Y or NAME,X,Y a line", .group = GROUP_OUTPUT,
     OWN(gauges_file, path), .unset = "none"},
    {"section", "NAME,X0,Y0,X1,Y1", "also the discharge through a line, as a series; may repeat",
     .group = GROUP_OUTPUT, WATER, OWN(sections, section), .unset = "none"},
    {"gauge-every", "SECONDS", "interval of these series", .group = GROUP_OUTPUT,
     ABOVE(gauge_every, 0, DBL_MAX), .unset = "that of --every, else a thousandth of the run"},
    {"balance-every", "SECONDS", "interval of the series of volumes: inside, in and out",
     .group = GROUP_OUTPUT, ABOVE(balance_every, 0, DBL_MAX), .unset = "that of --every"},
    {"checkpoint", "SECONDS", "keeps the state for --restart, in simulated time",
     .group = GROUP_OUTPUT, ABOVE(checkpoint, 0, DBL_MAX), .unset = "on a signal only"},
    {"restart", "FILE.nc", "resumes from a checkpoint of the same run", .group = GROUP_OUTPUT,
     OWN(restart, path), .unset = "from the start"},
    {"quiet", NULL, "no progress, no log; only the summary line", .group = GROUP_OUTPUT,
     FLAG(quiet)},
    {"print-config", NULL, "prints all settings as a run file, runs nothing", .group = GROUP_OUTPUT,
     FLAG(print_config), .only_command_line = 1},
    {"live", NULL, "shows the water in the terminal while it runs", .group = GROUP_OUTPUT, WATER,
     FLAG(live)},

    {"define", "NAME=NUMBER", "switches of kernels: DIAGONAL=0,PADDING=0; they add up",
     .group = GROUP_AUTHORS, OWN(define, switches), .unset = "the kernels' own"},
    {"order", "ORDER", "runs a block's threads forward, reversed or shuffled (CPU)",
     .group = GROUP_AUTHORS, CHOICE(order, order_words), .initial = "forward"},
    {"ranks", "N", "computes as N processes do (see mpirun), in threads of this one",
     .group = GROUP_AUTHORS, COUNT(ranks, 1, MOST_CUTS), .initial = "1"},
    {"ranks-delay", "SECONDS", "delay of every message between --ranks, as over a slow network",
     .group = GROUP_AUTHORS, NUMBER(ranks_delay, 0, 10), .initial = "0"},
    {.name = NULL},
};
