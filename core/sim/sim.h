/* A simulation: one rectangular patch with ghost cells on one device, and what its scheme needs. */
#ifndef SHOAL_SIM_H
#define SHOAL_SIM_H

#include "core/device/backend.h"
#include "core/options/run_config.h"
#include "core/problem/setup.h"
#include "core/mesh/grid.h"
#include "core/mesh/tiles.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "core/sim/array.h"
#include "core/sim/linked_passes.h"
#include "core/db/tuned.h"

/* Passes of a graph: enough to make launching cheap, few enough that the rest of a batch, or passes
 * beyond the end, cost little. */
enum { GRAPH_PASSES = 16 };

enum { RIM_SUMS = 4 };
/* Kinds in a run, at most. */
enum { OBSERVERS = 16 };

/* Kernels that the steps of any scheme may launch besides its own: ghost cells (in each view),
 * the choice of the time step, forcing, and time series at edges; for a part, ghost cells in
 * other parts and the reduction of its wave speeds; for tiles, their ghost cells and the choice
 * of those to compute; source terms after steps: rain, infiltration, sources; flow through
 * sections. */
enum auxiliary {
    GHOSTS_KERNEL,
    GHOSTS_TURNED,
    CLOCK_KERNEL,
    FORCING_KERNEL,
    SERIES_KERNEL,
    HALO_KERNEL,
    LARGEST_KERNEL,
    TILE_GHOSTS,
    ACTIVE_TILES,
    RAIN_KERNEL,
    SOIL_KERNEL,
    SPRINGS_KERNEL,
    SUPPLY_KERNEL,
    SECTIONS_KERNEL,
    AUXILIARIES
};
/* Kernels of all these kinds. */
enum { SIM_KERNELS = SCHEME_KERNELS + AUXILIARIES + OBSERVERS };

/* The edge that is west, east, south, north in a view. */
extern const enum edge edge_in_view[VIEWS][EDGES];

/* How kernels by rows cut each of their blocks: into so many strips (0: one), of equal height or each lower than the one
 * before it. See core/sim/strips.h. */
struct strip_choice {
    int parts, shrink;
};

/* What recorded launches depend on: they hold addresses, the numbers of slots and of tiles, the height of strips, and there are
 * more of them where tiles lie at an edge. */
struct graph_basis {
    unsigned long moves;
    int slots, inland, launched;
    struct strip_choice strips;
};

struct sim_kernel {
    struct recipe recipe;
    struct block_origin origin; /* of its block */
    struct loaded *loaded;
    struct loaded *
        unmapped; /* the same without the map of tiles, for passes that need none; null: there is none */
    double seconds; /* time spent in it while profiling, and launches */
    long launches;
};

/* Called before every launch, with the kernel and its arguments in their double version. An error
 * stops the launch. */
struct launch_hook {
    enum err (*told)(void *context, struct sim_kernel *k, const void *args, size_t bytes);
    void *context;
};

/* An observer of this sim: core/sim/observer.h. */
struct observing {
    const struct observer *as;
    struct sim_kernel kernel;
    void *state; /* its own */
    int seldom;  /* it may skip passes */
};

/* Edges that impose numbers or have segments, for kernels; on the device. */
struct sim_edges {
    const unsigned short *segment[EDGES]; /* see struct edges_args and series_args */
    const int *kind;
    real *given;
    const struct edge_series *series;
    const struct knot *knots;
    double *longest;
    int series_count;
    int chosen;               /* the current pass has enqueued the choice of its time step */
    int euler;                /* it is an Euler step, whatever the scheme */
    const int *others[EDGES]; /* how many positions before each one, and in all, are not walls */
};

/* A tracer's data besides its arrays in the states and rates; all null if the water carries none.
 * `rim` and `rim_sum` are those of the second conserved quantity, whatever it is. */
struct sim_tracer {
    real *rim; /* like sim.rim and sim.rim_sum, for what the water carries */
    double *rim_sum;
    counter *clipped; /* struct tracer_args */
    real *given;      /* its c in imposed flows, for every segment; null: edges impose nothing */
    double scale;     /* a power of two that makes the largest c less than 1 */
};

struct sim {
    struct parts *parts; /* of the whole domain's sim, which computes in parts; null: undivided */
    struct sim *whole;   /* a part's whole domain; else null */
    struct rehearsal *rehearsal;   /* of emulated processes; else null */
    int member;                    /* a part's number, */
    struct window window;          /* and its cells in the domain */
    struct halo *halo;             /* see core/sim/halo.h */
    struct boards *boards;         /* core/sim/agreement.c */
    struct borrowed *borrowed;     /* of each part of another process: core/sim/exchange_loans.c */
    struct mates *mates;           /* core/device/mates.h; null: parts do not exchange by NCCL */
    double awaiting;               /* since when it waits, as seconds(); 0: it does not */
    unsigned *abandoned;           /* on the host, seen by the device: core/sim/rounds.c */
    const struct meeting *meeting; /* of the next launch of a kernel that meets; null: nothing */
    int own_ghosts;                /* kernels fill those of the states: core/sim/own_ghosts.h */
    int own_clock;                 /* and move the clock on */
    struct trial *trial;           /* of a scheme in two kernels, on the device; else null */
    struct linked_passes linked;   /* of a scheme in one kernel */
    struct apron *apron;           /* core/sim/apron.h; null: it computes its own cells alone */
    int beyond[EDGES];  /* cells that are stored beyond its own on each side, before the ghosts */
    int from_i, from_j; /* the cell that kernels take for the first one */
    int recording;      /* its steps are, with those of the other parts */
    const struct config *config;
    const struct scheme *scheme;
    const struct system *system;
    const struct backend *backend;
    struct device *device;
    struct device_list devices; /* of this process: its parts share them */
    struct grid_info grid;
    enum boundary boundary[EDGES]; /* of whole edges; segments of them may be another kind: */
    struct edge_segment *segments; /* those of a turned problem; owned */
    struct sim_edges edges;
    int imposing;   /* some edge imposes numbers or has segments */
    int open_sides; /* bits 1 << enum edge: it is not entirely wall */
    double t_end;

    /* On the device. Cell arrays are padded rows of `pitch` reals, `field_bytes` each. In the
     * turned view an unknown occupies the place of the one that it stands for. */
    struct array array[SIM_ARRAYS];
    int array_count;
    long pitch[VIEWS];
    int margin; /* reals before the first cell of a row */
    size_t real_size, field_bytes;
    struct tiles tiles; /* see core/sim/tiling.h; what follows is on the device */
    int slot_rows;      /* from the first of a tile to that of the next */
    struct strip_choice strips;
    int inland; /* no tile at an edge of the domain is stored: nothing outside it is read */
    const struct tile_place *tile_place;
    const struct tile_neighbour *tile_neighbour;
    int mapped;                  /* the kernels keep a map of tiles that may change */
    struct active_tiles *active; /* core/sim/active_tiles.c; null: all tiles are computed */
    int launch_room; /* tiles of a full domain that launches have blocks for; 0: all. See launch_room.h */
    struct forest *forest; /* where each tile is stored; on the host; null: all, in order */
    struct sparse *sparse; /* core/sim/sparse.c; null where that is */
    const int *slot_of;    /* the forest's */
    const long *
        rim_cell; /* offset of the cell at each position of the rim, -1: in an absent tile; null: in order */
    struct array *state[STATES][UNKNOWNS], *rate[RATES][UNKNOWNS]; /* the first is the solution */
    struct array
        *force[UNKNOWNS];   /* source term of each rate of change, in the plain view; half if there
                             * are two rates */
    int forced;             /* there are source terms */
    int rough;              /* each cell has its own Manning's n */
    int added[AUXILIARIES]; /* which of these source kernels the setup needs */
    struct sim_rain *rain;  /* core/sim/rain.c; null without rain */
    struct sim_sections *sections;         /* core/sim/sections.c; null where there are none */
    const struct spring_list *spring_list; /* the setup's; null where it has none */
    unsigned char *fed_tiles; /* host, owned: sources reach into the tile in a step; null: none */
    struct sim_springs *springs;       /* core/sim/springs.c; null where there are no sources */
    struct sim_soil *soil;             /* core/sim/soil.c; null without infiltration */
    double force_sum[UNKNOWNS];        /* over all cells, per second */
    struct array *given[GIVEN_FIELDS]; /* of the system */
    struct array *in[CONSERVED]; /* external inflow into a cell, per area and second; null: none */
    int *away;                   /* see kernels/systems/sediment.h; null if there is none */
    bits *excess;                /* SIM_EXCESS; null if the system has no bounds */
    counter *booked;             /* SIM_BOOKED; null where nothing is booked */
    const real *rise;     /* [2][UNKNOWNS], across periodic edges: struct flow_case; null: none */
    struct ground ground; /* always plain */
    real *roughness; /* g n^2 in the cells, laid out like the bed; null: the same in all of them */
    bits *block_speed;                 /* of all kernels, one after the other */
    long speed_offset[SCHEME_KERNELS]; /* where each kernel's begin */
    counter *counters;                 /* [COUNTERS], then [VOLUME_COUNTERS] of kernels/volume.h */
    struct clock *clock;
    int open_edges;  /* some edge is neither a wall nor periodic all along */
    real *rim;       /* mass flux through the rim; null without open edges */
    double *rim_sum; /* RIM_SUMS arrays, as kernels/net_inflow.cu has them */
    struct sim_tracer tracer;
    struct physics physics;

    struct sim_kernel kernels[SCHEME_KERNELS];
    struct sim_kernel auxiliary[AUXILIARIES]; /* those that the run needs */
    struct observing observer[OBSERVERS];
    int observer_count;
    int observer_period, observer_phase; /* see observers_period; passes since a reference pass */
    int redoes;          /* a pass may be rejected: whoever enqueues one sets this */
    struct ahead *ahead; /* kernels/fused.h, on the device; null where the scheme has none */
    struct early_exit *early_exit;   /* schemes/early_exit.h; null where the scheme has none */
    struct alternation *alternation; /* core/sim/alternation.c; null: one scheme makes all steps */
    unsigned updates;                /* of the state, made in the pass under way: next_stride() */
    int passes;                      /* 0 while the first step is to come, else not */
    int swapped;                     /* the first two states have changed places */
    int graph_swapped;               /* `swapped` when the graph's passes begin */
    struct graph_basis graph_basis;  /* when it was recorded */
    struct graph *graph;             /* of sim_graph_passes; null until it is recorded */
    unsigned long moves;             /* how often arrays have moved: graphs hold addresses */
    int graph_failed;                /* recording failed; do not try again */
    int profiling;                   /* wait for every kernel and add up its time */
    struct launch_hook hook;         /* `told` may be null */
    int turned;                      /* the problem is solved with x and y exchanged (--sweep yx) */
    struct source source;            /* the original one, where turned */

    const struct gauge_list *gauge_list; /* the setup's; null where it has none */
    double gauge_every;                  /* s */
    struct gauge_list own_gauges; /* of a part, and their numbers in the whole's list; owned */
    int *gauge_number;

    struct initial *initial; /* of its window: numbers, and the initial state of its cells */
    struct clock now;        /* the clock as last read by the host */
    double wall;             /* seconds spent stepping */
    double per_step;         /* seconds per step at the host's last reading; 0: unknown */
    double total0
        [CONSERVED];     /* of each conserved quantity at the start; the first is the volume, m3 */
    double volume_units; /* per metre, for summing depths */
};

/* Of the water or another conserved quantity: volumes, m3. `in` and `out` crossed open edges, each
 * >= 0; `forced` came from forcing, `rain` fell, `infiltrated` seeped away, `gave` and `took` came
 * from and went to sources and sinks; `inflow` is the net of all these. */
struct balance {
    double volume, inflow, in, out, forced, rain, infiltrated, gave, took, clipped_in;
};

/* Arrays with what steps count, and with the clock. */
#define SIM_CLOCK      "clock"
#define SIM_COUNTERS   "counters"
#define TRACER_CLIPPED "tracer_clipped"
/* What steps sum of a conserved quantity (struct conserved), and the largest excess of an unknown
 * over its bounds. */
#define SIM_BOOKED "booked"
#define SIM_EXCESS "excess"

/* Chooses the backend, compiles and loads the kernels, allocates, uploads the initial state. Frees
 * everything on failure. */
enum err sim_create(struct sim **out, const struct setup *setup);
void sim_destroy(struct sim *s); /* accepts NULL */

/* Of its domain. */
double sim_cells(const struct sim *s);

/* With several processes (setup->ranks) each creates the sim. Then the first one, which leads, uses
 * it as if it were alone; the others only obey it, until it dismisses them, with its final error.
 * `progress` returning nonzero stops the run, as in sim_run. */
int sim_leads(const struct sim *s);

/* The number of parts and processes, and what carries ghost cells between them: "none", "memory",
 * "peers", "host", a transport. */
struct sim_division {
    struct shares shares;
    int parts, ranks;
    const char *exchange;
};
struct sim_division sim_divided(const struct sim *s);

/* The first part of this process; an undivided sim itself. */
struct sim *sim_first_part(struct sim *s);
enum err sim_obey(struct sim *whole, int (*progress)(const struct sim *));
enum err sim_dismiss(struct sim *whole, enum err e);

/* For schemes: enqueues a kernel of the sim over the blocks that its span needs. `args` is one of
 * the structs of kernels/args.h, in its double version. */
enum err sim_launch(struct sim *s, struct sim_kernel *k, const void *args, size_t bytes);

/* Equal arguments are equal bytes, which contracts compare: gcc leaves in the gaps between members what was
 * in memory before. gcc 12 clears other bytes where a gap follows an array of structs with gaps of their own: leave none
 * there. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define sim_launch(s, k, args, bytes) (__builtin_clear_padding(args), sim_launch(s, k, args, bytes))
#endif

/* The unknowns of shallow water in a state, rate or force, at cell (0,0), in kernels' form: in the
 * turned view hu and hv change places. */
struct fields sim_fields(const struct sim *s, struct array *const of[UNKNOWNS], enum view v);

/* A tracer's arguments of kernels: in the state at the start of a step, that read and that written,
 * by their numbers. Empty if the water carries none; never turned. */
struct tracer_args sim_carried(const struct sim *s, int base, int from, int to);

/* Number of blocks that cover the domain, in a view, with a kernel's block. */
long sim_blocks(const struct sim *s, const struct sim_kernel *k, enum view v);

/* Number of wave speeds of a kernel: one for each block, and in a sparse domain one for all absent
 * tiles. */
long sim_speeds(const struct sim *s, const struct sim_kernel *k, enum view v);

/* Blocks as above, or more: a kernel that cannot be loaded with its tuned block uses the default
 * one. */
long sim_most_blocks(const struct sim *s, const struct sim_kernel *k, enum view v);

/* Each kernel of the scheme with its block, and the block's origin, in one line. */
void sim_describe_blocks(const struct sim *s, char *text, size_t n);

/* Origin of the blocks of the loaded kernels that can be tuned: "tuned", "default" (or chosen),
 * "mixed". */
const char *sim_blocks_from(const struct sim *s);

/* Compiles and loads the scheme's kernels on demand, unless already done. */
enum err sim_load_on_demand(struct sim *s);

/* Before the first step, only those with these indices, -1 at the end: a scheme's setup knows which
 * it will use. */
enum err sim_load_some(struct sim *s, const int kernels[]);

/* Steps until the clock reaches t_pause (or t_end, or the step limit). `progress`, if not null, is
 * called now and then with the clock; returning nonzero stops the run with ERR_STOPPED after the
 * pending steps: the state is complete, and another call continues. */
enum err sim_run(struct sim *s, double t_pause, int (*progress)(const struct sim *));

/* Moves the end of the run to a time later than the one reached; sim_run hits that one, too. The
 * step limit stays. */
void sim_extend(struct sim *s, double t_end);

/* Sets an unstepped sim to a clock, and to the time that stepping had taken, s. */
void sim_set_clock(struct sim *s, const struct clock *now, double wall);

/* Makes a fixed number of passes without reading the result: for timing. After the first call
 * nothing is recorded any more. */
enum err sim_step_many(struct sim *s, long passes);

/* Fails with ERR_USAGE if --graphs on is impossible for this run. */
enum err sim_check_graphs(const struct sim *s);

/* The solution's unknown k as sim_read returns it, but a level in the metres of the case or file,
 * rounded to the run's precision: for inspection. */
enum err sim_download(struct sim *s, int k, void *to);

/* A variable of the system, by its number, as users see it, in a window of the cells in the user's
 * orientation (NULL: all): rows of its nx reals of the run's precision. */
enum err sim_variable(struct sim *s, int variable, const struct window *w, void *to);

/* The surface level in the metres of the case or file, as accurate as eta. */
enum err sim_level(struct sim *s, double *to);

/* The depth, from eta directly: ny rows of nx reals of the run's precision. */
enum err sim_depth(struct sim *s, void *to);

/* The bed at the corners of such a window, to the bit as the kernels see it: ny + 1 rows of nx + 1
 * levels, in the metres of the case or file; and above the run's datum. Thread safe. */
void sim_bed(const struct sim *s, const struct window *w, double *to);
void sim_corners(const struct sim *s, const struct window *w, double *to);

/* These only read memory; otherwise each corner is sampled again. */
int sim_has_corners_here(const struct sim *s);

/* Samples for a picture: the level and the bed, m above the run's datum, of nx x ny cells spread
 * evenly over the domain, in rows from south to north; at most SAMPLES, with --live only. They show
 * the step enqueued last, for which it waits; changes nothing else. `room` is for 2 nx ny doubles. */
enum { SAMPLES = 1 << 17 };
enum err sim_sample(struct sim *s, int nx, int ny, void *room, float *level, float *bed);

/* A conserved quantity of the system, by its number, over all cells: 0 is the water above the bed,
 * m3. NAN if a depth is not finite. Waits for the device. */
enum err sim_total(struct sim *s, int conserved, double *result);

/* One over the thickness of the layer that moves, 1/m; 0: the system books nothing by one. */
double sim_inverse_layer(const struct sim *s);

/* Converts what counters of SIM_BOOKED count into units of the booked quantity. */
double sim_booked_units(const struct sim *s);

/* The largest excess of an unknown over its bounds, in all steps so far; 0 without bounds. Waits
 * for the device. */
enum err sim_excess(struct sim *s, double *excess);

/* Of the water: the present volume, the rest since the start. Waits for the device. The same for
 * any conserved quantity. */
enum err sim_balance(struct sim *s, struct balance *b);
enum err sim_balance_of(struct sim *s, int conserved, struct balance *b);

/* Volumes in and out since the start through edges and by forcing, m3, each >= 0. */
double sim_came_in(const struct balance *b);
double sim_went_out(const struct balance *b);

/* A volume as a share of the initial volume and inflow; 0 if there was none. */
double sim_share(const struct sim *s, const struct balance *b, double volume);

/* The unexplained gain of volume since the start, as a share. */
double sim_mass_error(const struct sim *s, const struct balance *b);

/* Inward flow across each position of the rim since the start, m2, in the order of
 * kernels/net_inflow.cu; the caller frees it. */
enum err sim_crossed(struct sim *s, double **sum);

/* Uploads the edges' data for kernels, if some edges impose numbers or have segments. The setup is
 * in the sim's orientation. */
enum err sim_edges_create(struct sim *s, const struct setup *setup);

/* Fails with ERR_CHECK if a run that has reached its end disagrees with its edges' series: see
 * edges_check. The setup is the one that the sim was created from. */
enum err sim_check_edges(struct sim *s, const struct setup *setup);

/* Bytes of device memory for a simulation of this grid. */
size_t sim_bytes(const struct sim *s);

/* The Courant number of the run's steps. */
double sim_courant(const struct sim *s);

/* The last step of the run. */
unsigned long sim_step_limit(const struct sim *s);

/* Number of passes in the current graph: about GRAPH_PASSES. */
int sim_graph_passes(const struct sim *s);

#endif
