/* The settings of a run: from the command line, a run file and the case. */
#ifndef SHOAL_RUN_CONFIG_H
#define SHOAL_RUN_CONFIG_H

#include "core/mesh/cut.h"
#include "core/mesh/gauge_list.h"
#include "core/mesh/section_line.h"
#include "core/options/options.h"
#include "kernels/kernel.h"
#include "kernels/host_args.h"
#include "kernels/edges.h"

/* Suffixes of a run's output for its checkpoint, and for the rows written before it. */
#define CHECKPOINT_ENDING ".checkpoint.nc"
#define RECORDS_ENDING    ".records.nc"

enum {
    BLOCK_CHOICES = 128,
    GAUGE_CHOICES = 64,
    SOURCE_CHOICES = 64,
    SECTION_CHOICES = 64,
    EDGE_CHOICES = 128,
    VARIABLES_LENGTH = 256,
    MOMENT_LENGTH = 32
};

/* Largest width and height of a block, cells. */
enum { LARGEST_SIDE = 1024 };

/* Headings of the help. */
enum option_group { GROUP_FLOW, GROUP_METHOD, GROUP_MACHINE, GROUP_OUTPUT, GROUP_AUTHORS, GROUPS };

/* All options of `shoal run`: the table that its command line, run files, --print-config and --help use. */
extern const struct option run_options[];

/* Kinds of values that only they use. */
extern const struct option_type option_block, /* struct block_choice, appended */
    option_switches,                          /* char[size]: NAME=NUMBER,NAME=NUMBER, or "" */
    option_processor,                         /* char[size], as compilers call it */
    option_edge,                              /* struct boundary_choice, appended */
    option_gauge,                             /* struct gauge_choice, appended */
    option_source,                            /* struct source_choice, appended */
    option_section,                           /* struct section_line, appended */
    option_field,                             /* struct field_choice */
    option_moment,                            /* char[size], "" for unset */
    option_parts,                             /* struct shares */
    option_tile,                              /* struct tile_size */
    option_ghost_steps,                       /* int: enum ghost_steps, or a number */
    option_devices,                           /* struct device_list */
    option_area,                              /* double[4], NAN for unset */
    option_pair,                              /* double[2] above 0, NAN for unset */
    option_precision;                         /* int, enum precision; and whether it was chosen */

enum sweep { SWEEP_XY, SWEEP_YX };
enum positivity { BY_COURANT, BY_DRAINING };
extern const char *const positivity_names[]; /* NULL at the end */
enum early_exit_choice { EARLY_EXIT_AUTO, EARLY_EXIT_ON, EARLY_EXIT_OFF };
enum ghost_steps { GHOST_STEPS_AUTO = -1, GHOST_STEPS_SUBSTEP = 0, MOST_GHOST_STEPS = 1024 };
enum exchange_choice { EXCHANGE_AUTO, EXCHANGE_PEERS, EXCHANGE_NCCL, EXCHANGE_HOST, EXCHANGE_MPI };
enum graphs_choice { GRAPHS_AUTO, GRAPHS_ON, GRAPHS_OFF };

/* The choice of --block for one kernel name or a stem. */
struct block_choice {
    char kernel[NAME_LENGTH];
    struct block block;
};

/* The choice for an edge of the domain, or for a segment of one. */
struct boundary_choice {
    int edge, kind;  /* enum edge, enum boundary */
    int total;       /* a discharge is the total through the segment, m3/s, not per metre, m2/s */
    int file;        /* where in `files` the name of its series begins; -1: `value` is constant */
    double value;    /* the imposed discharge into the domain, depth or level, m */
    double c;        /* tracer concentration of the inflow */
    double mud;      /* of SUPPLY, whose `value` is the sand; m2/s */
    int mud_file;    /* as `file` */
    double from, to; /* the segment, along the axis, m; NAN: all of the edge */
};

/* All of them, edge by edge; where those of an edge overlap, later ones take precedence. */
struct boundary_choices {
    struct boundary_choice of[EDGE_CHOICES];
    int count, files_used;
    char files[4 * FILE_LENGTH]; /* names, one after the other */
};

/* A --gauge: a point, m. */
struct gauge_choice {
    char name[GAUGE_NAME];
    double x, y;
};

/* A --source: a point, m, and its inflow. */
struct source_choice {
    char name[GAUGE_NAME];
    double x, y, radius; /* 0: only its own cell */
    double q;            /* m3/s; NAN: */
    double c;            /* tracer concentration of the inflow */
    int file;            /* where in `files` the name of its series begins; -1: q is constant */
};

struct source_choices {
    struct source_choice of[SOURCE_CHOICES];
    int count, files_used;
    char files[4 * FILE_LENGTH]; /* names, one after the other */
};

struct section_choices {
    struct section_line of[SECTION_CHOICES];
    int count;
};

/* A number for all cells, or a raster. */
struct field_choice {
    double number;          /* NAN: absent, or a file or a formula */
    char file[FILE_LENGTH]; /* or the formula; "" if neither is */
    int formula;
};

/* The names that formulas may have: x, y, bed. */
extern const char *const option_field_names[];

enum terrain_at { TERRAIN_AT_CENTRES, TERRAIN_AT_CORNERS };
enum positive_choice { POSITIVE_UP, POSITIVE_DOWN };
enum holes_choice { HOLES_ERROR, HOLES_WALL };

enum domain_choice { DOMAIN_FULL, DOMAIN_SPARSE };

/* Cells of a tile. */
struct tile_size {
    int w, h;
};

enum { MOST_DEVICES = 1024, LISTED_DEVICES = 64 };

/* GPUs by their numbers. */
struct device_list {
    int count, of[LISTED_DEVICES];
    int all; /* all existing ones instead of these */
};

/* How other commands split their runs, as these options of `shoal run` do. */
struct division {
    struct device_list devices;
    struct shares parts;
};

/* The option-table rows of such a member. */
#define DIVISION_OPTIONS(settings, member)                                       \
    {"devices", "N,N|all", "several GPUs: a part of each run on each",           \
     OPTION_IN(settings, member.devices, devices), .unset = "that of --device"}, \
    {                                                                            \
        "parts", "N|CxR", "splits the domain of each run that is large enough",  \
            OPTION_IN(settings, member.parts, parts), .unset = "one per GPU"     \
    }

/* NAN in a double, 0 in a count and -1 in a choice mean "not given": the case or a rule decides.
 * Of several block choices that fit a kernel, the last one applies. */
struct config {
    char input[FILE_LENGTH];  /* a registered case's name, or else a file */
    char scheme[NAME_LENGTH]; /* or "auto" */
    char limiter[NAME_LENGTH], flux[NAME_LENGTH];
    char reconstruction[NAME_LENGTH]; /* or "auto", until problem_open chooses */
    double theta, cfl, kappa, dt, t_end, gravity;
    double dt_factor; /* share of the last limit that split and fused schemes attempt */
    int sweep;        /* enum sweep */
    int positivity;   /* enum positivity: what keeps depths from falling below zero */
    int early_exit;   /* enum early_exit_choice */
    int graphs;       /* enum graphs_choice; how steps are launched, not what they compute */
    int nx, ny;
    long steps;
    char backend[NAME_LENGTH]; /* auto, cpu, cuda */
    int device, threads;
    struct device_list devices; /* instead of `device` */
    int exchange;               /* enum exchange_choice */
    int ghost_steps;         /* from one exchange of ghost cells to the next, or enum ghost_steps */
    int ranks;               /* debug: compute as this many processes would; they are threads */
    double ranks_delay;      /* delay of messages between them, s */
    double exchange_timeout; /* s */
    struct shares parts;
    int parts_where_possible; /* keeps a domain that cannot be split in one piece; else that is an
                               * error */
    struct tile_size tile;    /* cells, at most; 0: no tiles */
    int domain;               /* enum domain_choice */
    int tiles_most;           /* of a sparse domain; 0: as many as fit into memory */
    int precision;            /* enum precision */
    int precision_chosen;     /* else problem_open takes that of the system */
    int mode;                 /* enum mode */
    int order;                /* see struct device_options */
    char define[NAME_LENGTH]; /* a compile-time switch of the kernels, NAME=NUMBER, or "" */
    char march[NAME_LENGTH];
    struct block_choice blocks[BLOCK_CHOICES];
    int block_count;
    int tuned; /* the other kernels take their blocks from the tuning database */
    struct boundary_choices boundary;
    char output[FILE_LENGTH];
    double every;
    char start[MOMENT_LENGTH];        /* "2026-11-22T06:00:00", the date of t = 0; "": unknown */
    char variables[VARIABLES_LENGTH]; /* comma separated, "" for all */
    int quiet, print_config;
    int fill_absent;          /* maps of a sparse domain also show the values of absent tiles */
    int maxima, maxima_every; /* record them; steps between two samples */
    int hazard;               /* record it, at the same steps; */
    double debris;            /* m2/s */
    double wet_depth;         /* deeper cells are wet, m */
    struct gauge_choice gauges[GAUGE_CHOICES];
    int gauge_count;
    struct source_choices sources;
    struct section_choices sections;
    char gauges_file[FILE_LENGTH]; /* more of them, "" for none */
    double gauge_every, balance_every;
    double region[4]; /* west, south, east and north end of what maps show, m; NAN: all */
    int deflate;      /* level of compression, 0 for none */
    /* Seconds of simulated time between checkpoints; the first one. */
    double checkpoint;
    char restart[FILE_LENGTH];
    int live; /* shows the water in the terminal */
    struct field_choice level, depth, manning, tracer, rain, infiltration, suction, deficit;
    struct field_choice alpha, beta, sand;
    double compaction[2], layer; /* of sand and of mud; m */
    int terrain_at;              /* enum terrain_at, or -1 */
    int positive;                /* enum positive_choice: the sign of terrain values */
    int holes;                   /* enum holes_choice: how to treat terrain without data */
};

/* What `auto` means for a case. */
#define CASE_RECONSTRUCTION "kp"
#define CASE_SCHEME         "rk2"

/* Defaults of every option. */
void config_defaults(struct config *c);

/* The same for commands that run only cases, or read plug-in names without a problem: no `auto`. */
void config_case_defaults(struct config *c);

/* Is the device one of the first `n` of the list? */
int devices_have(const struct device_list *l, int n, int device);

/* Splits runs of a config with its backend in this way, where possible; null, or one part: never. */
void config_divide(struct config *c, const struct division *d);

/* May the run have several parts? */
int division_divides(const struct division *d);

/* Reads `shoal run`'s arguments (argv[0] is the first after "run"), and the run file that they
 * name. Checks names, ranges and combinations that do not depend on the case; fails with ERR_USAGE,
 * or with ERR_INPUT if a file or folder is missing. */
enum err config_read(struct config *c, int argc, char **argv);

/* A run has one output format; fails with ERR_USAGE if the output's name has another format's
 * ending, and says how to get that one. */
enum err config_check_ending(const char *output);

/* Adds a run file's settings to `c`. Relative paths in it start at its own folder. Fails with
 * ERR_INPUT if the file cannot be read, else with ERR_INPUT or ERR_USAGE; the message names file
 * and line. */
enum err runfile_read(struct config *c, const char *path);

/* Does the option of that name differ from its default? Not thread safe. */
int config_changes(const struct config *c, const char *name);

struct flow_case;
struct scheme;
struct system;

/* The Courant number of a run by that scheme: the one given, else the scheme's own, else the published one. */
double config_courant(const struct config *c, const struct scheme *scheme);

/* The system of a case, else of the given scheme, else shallow water; NULL: none of that name. */
const struct system *config_system(const struct config *c, const struct flow_case *f);

/* Fails with ERR_USAGE if a row of run_options applies only to another system. */
enum err config_check_row(const struct option *o, const struct system *system);

/* Prints every option as "key = value" lines that config_read accepts again as a run file. */
void config_print(const struct config *c);

/* A digest of every option, in hexadecimal digits: 64 and a NUL. */
void config_digest(const struct config *c, char hex[65]);

/* The options' help, under headings, and general remarks. */
void config_help(FILE *f);

#endif
