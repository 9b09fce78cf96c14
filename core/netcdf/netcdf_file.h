/* netCDF files: what a run writes, and the input it reads. Both have one layout: CF conventions,
 * coordinates x y x_corner y_corner time, bed (y,x), bed_corner (y_corner,x_corner), and
 * w h hu hv (time,y,x). In a build without netCDF the functions that touch a file fail with
 * ERR_ABSENT. One thread at a time: the netCDF library keeps global state. */
#ifndef SHOAL_NETCDF_FILE_H
#define SHOAL_NETCDF_FILE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/grid.h"
#include "kernels/kernel.h"
#include "kernels/system.h"
#include "core/mesh/map_area.h"
#include "core/mesh/tiles.h"

struct gauge_list; /* core/mesh/gauge_list.h */

#define NCFILE_ABSENT                                                                            \
    "this build has no netCDF: install libnetcdf-dev and run make again (on Debian and Ubuntu: " \
    "apt-get install libnetcdf-dev)"

/* Fails with ERR_ABSENT, and a remedy, unless this build on this machine reads and writes netCDF. */
enum err ncfile_ready(void);
static inline int ncfile_available(void)
{
    return ncfile_ready() == ERR_OK;
}

/* Call it in every thread other than the main one before using these functions. */
void ncfile_quiet_thread(void);

/* Reads a list of a system's variables, such as "w,hu,hv"; "" means those that are not on request. `set` gets the
 * bits 1 << number of the variable. Fails with ERR_USAGE on an unknown name. */
enum err ncwrite_variables(const struct system *system, const char *list, unsigned *set);

enum attribute_kind { ATTRIBUTE_TEXT, ATTRIBUTE_DOUBLE, ATTRIBUTE_INT };

/* A global attribute: a name and one value, of the member that `kind` names. */
struct attribute {
    const char *name;
    enum attribute_kind kind;
    const char *text;
    double number;
    long integer;
};

/* Data outside memory, fetched a few rows at a time: field number `which` of several, for some of
 * the cells that maps show, counted from the first of these. Called by the writing thread. */
struct ncwrite_rows {
    enum err (*get)(void *context, int which, const struct window *cells, void *to);
    void *context;
    int shared; /* the writer's helpers may ask, too, all at once */
};

struct ncwrite_info {
    const char *path; /* of the finished file */
    struct grid_info grid;
    const char *wkt;          /* coordinate system; null: unknown */
    enum precision precision; /* of the fields below and in the file */
    const struct system *system;
    unsigned variables; /* of the system: bits 1 << number */
    /* Bed level at corners, m above the datum: rows of bed_pitch numbers; `bed` points to the
     * window's corner (0,0). Must stay valid until the file is finished or discarded. */
    const double *bed;
    long bed_pitch;
    /* Used instead if `bed` is null: the levels around so many of the grid's cells, in rows without
     * gaps. Thread safe. */
    void (*corners)(const void *context, const struct window *cells, double *to);
    const void *context;
    double datum, still;  /* of struct initial: m; m above the datum */
    struct window window; /* the cells that maps show; nx = 0: all */
    const char *start;    /* the date of t = 0, "2026-11-22T06:00:00"; null or "": unknown */
    int deflate;          /* level of compression, 0 for none */
    int uniform;          /* instead: chunks that hold one number are packed, others are not */
    int helpers; /* threads that compress besides the caller; they do not change the file */
    int sealed;  /* ends with the line of core/base/file_checksum.h */
    /* Attributes of maxima: the sampling interval, the depth above which a cell is wet. */
    int maxima_every;
    double wet_depth; /* m */
    double debris;    /* in the hazard, m2/s */
    /* Of a sparse domain: chunks of records without a stored tile are omitted, and read as NaN.
     * Without columns none are. */
    struct tiles tiles;
    /* Instead, for a file with one state: also the bed has gaps; these are tiles as at the start, and
     * others are written. Must stay valid. */
    const unsigned char *held; /* of each tile: enum tile_state */
    unsigned kinds;            /* of volumes from VOLUME_RAIN on: bits 1 << number */
};

/* The state at one time, as stored; unknowns that no variable of the file needs may be null. */
struct ncwrite_record {
    double t;                        /* s */
    const void *unknown[UNKNOWNS];   /* the window's cell (0,0), of rows `pitch` reals apart */
    long pitch, column;              /* from a cell to the next; a column of 0 means 1 */
    const struct ncwrite_rows *rows; /* or instead, if not null: all unknowns, by number */
    const unsigned char *tile_state; /* of each of info.tiles: enum tile_state */
};

struct ncwriter;

/* Opens a temporary file beside `path` and writes coordinates and bed. Fails with ERR_USAGE if the
 * file could never be put in place: no such folder, no permission, not a regular file. Ends with
 * ncwrite_finish or ncwrite_discard, which free the writer. */
enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info);

/* Manning's n of each cell of the window, rows of `pitch` numbers; at most once. */
enum err ncwrite_manning(const struct ncwriter *writer, const double *n, long pitch);

/* Sets global attributes, at any time before the file is finished. */
enum err ncwrite_attributes(struct ncwriter *writer, const struct attribute *list, size_t n);

/* Appends a record. Depths are computed from the stored numbers as in kernels; a level is the sum
 * of datum, level at rest and stored number in double precision, rounded once. The bed is always in
 * double: f32 cannot resolve its levels on high ground. */
enum err ncwrite_record(struct ncwriter *writer, const struct ncwrite_record *record);

/* Maps of the whole run, written after its records. */
enum output_maximum {
    OUTPUT_H_MAX,
    OUTPUT_W_MAX,
    OUTPUT_SPEED_MAX,
    OUTPUT_FLUX_MAX,
    OUTPUT_ARRIVAL,
    OUTPUT_DURATION,
    OUTPUT_HAZARD,
    OUTPUT_HAZARD_CLASS,
    OUTPUT_MAXIMA
};

/* Once, before the first of them: their end time, s. */
enum err ncwrite_maxima(struct ncwriter *writer, double t);

/* Lower limits of the hazard classes, m2/s: Defra and Environment Agency, FD2320/TR2, table 13.1,
 * and the supplementary note of May 2008 that explains it. 1: less. FD2321/TR1 of 2006 begins the
 * last one at 2.5. */
#define HAZARD_SOME 0.75 /* class 2: children, the old and the infirm */
#define HAZARD_MOST 1.25 /* 3: the general public */
#define HAZARD_ALL  2.0  /* 4: emergency services, too */

/* Its rows, for a map of OUTPUT_MAXIMA. For OUTPUT_W_MAX they are depths, to which the bed is
 * added. NAN: never wet. */
enum err ncwrite_maximum(struct ncwriter *writer, enum output_maximum which,
                         const struct ncwrite_rows *rows);

/* The same at the gauges: a value each; converts depths to levels in place where levels are meant. */
enum err ncwrite_gauge_maximum(struct ncwriter *writer, enum output_maximum which, void *values);

/* Once, before their first rows: the gauges, and the bed at each, m above the datum. */
enum err ncwrite_gauges(struct ncwriter *writer, const struct gauge_list *list, const double *bed);

/* Appends rows: their times, and for each row the unknowns of the system, each of all gauges. */
enum err ncwrite_gauge_rows(struct ncwriter *writer, size_t count, const double *t,
                            const void *values);

/* Appends a row to the series of the balance, for each conserved quantity of the system, such as the volume of the water,
 * m3: since the start of the run. */
enum volume {
    VOLUME_INSIDE,
    VOLUME_IN,
    VOLUME_OUT,
    VOLUME_FORCED,
    VOLUME_CLIPPED,
    VOLUME_ERROR,
    VOLUME_RAIN, /* from here on optional: runs that have them set `kinds`; rain carries no tracer */
    VOLUME_INFILTRATED,
    VOLUME_SOURCES,
    VOLUME_SINKS,
    VOLUMES
};
enum err ncwrite_balance(struct ncwriter *writer, double t,
                         const double volumes[CONSERVED][VOLUMES]);

/* Once, before their first row: sections from (x[0], y[0]) to (x[1], y[1]). Then rows: the volume
 * through each since the start, m3. */
struct section_line;
enum err ncwrite_sections(struct ncwriter *writer, const struct section_line *const *line,
                          int count);
enum err ncwrite_section_row(struct ncwriter *writer, double t, const double *volume);

/* Adds a variable of n > 0 bytes, over a dimension of its own. Without data they follow by ncwrite_more_bytes, from `first` on. */
enum err ncwrite_bytes(struct ncwriter *writer, const char *name, const void *data, size_t n);
enum err ncwrite_more_bytes(struct ncwriter *writer, const char *name, size_t first,
                            const void *data, size_t n);

/* The same for a number in each cell, over the dimensions of maps, and with their gaps; rows->get is
 * asked for number 0. */
enum err ncwrite_cells(struct ncwriter *writer, const char *name, const struct ncwrite_rows *rows);

/* The series, each with a time of its own, and their numbers of rows. */
enum series { SERIES_MAPS, SERIES_GAUGES, SERIES_BALANCE, SERIES_SECTIONS, SERIES };
void ncwrite_rows(const struct ncwriter *writer, size_t rows[SERIES]);

/* Copies what has been written so far, sealed, to `path`, over an older copy. */
enum err ncwrite_keep(struct ncwriter *writer, const char *path);

/* The run's identity, as a global attribute: once, before the functions below. */
#define NCWRITE_MARK_NAME "settings_sha256"
enum { NCWRITE_MARK = 64 };
enum err ncwrite_mark(struct ncwriter *writer, const char *mark);

/* Begins the series with the rows that such a copy, or a finished file, has up to the time t, which
 * must be so many. Fails with ERR_INPUT, without changes, if they differ, if the file belongs to
 * another run, or shows other cells or gauges. */
enum err ncwrite_take(struct ncwriter *writer, const char *path, double t,
                      const size_t rows[SERIES]);

/* Does a file of the same run have so many rows up to the time t, for the same cells and gauges?
 * Assumes that the file is intact. */
int ncwrite_has_rows(const struct ncwriter *writer, const char *path, double t,
                     const size_t rows[SERIES]);

/* The interval of each series, s; NAN: irregular. Global attributes, once. */
enum err ncwrite_intervals(struct ncwriter *writer, const double every[SERIES]);

/* The end of a file of the same run: the time of its last map, s (NAN: no such file), that of the
 * last row of each series, their intervals (NAN: unknown), and its steps. `same`: this writer has
 * all series of that file, for the same cells and gauges. `maxima`, `hazard`: that file has such
 * maps. Cells of its tiles, west to east and south to north; 0: it has none, or one. */
struct ncwrite_end {
    double t, steps, last[SERIES], every[SERIES];
    int same, maxima, hazard, tile[2];
};
void ncwrite_look_at_end(const struct ncwriter *writer, const char *path, struct ncwrite_end *end);

/* Completes the file and moves it into place, over an older one. On failure (a full disk may show
 * only here) the older file is untouched and nothing else is left. Sets *writer to null. */
enum err ncwrite_finish(struct ncwriter **writer);

/* Discards the file: nothing is left of it. Accepts a null *writer, and sets it to null. */
void ncwrite_discard(struct ncwriter **writer);

/* Arrays are row-major (y, then x), x and y ascending whatever the file's order was. */
struct nc_input {
    struct grid_info grid;
    char *wkt;          /* coordinate system; null if the file does not give one */
    double *bed_corner; /* (ny+1) x (nx+1), m */
    double *w;          /* ny x nx: surface level, m; in dry cells the mean of the bed's corners */
    /* ny x nx: the unknowns other than the level, as users know them, by their numbers in the
     * system; zero if the file lacks them; null over terrain */
    double *unknown[UNKNOWNS];
    double t;           /* time of the record, s; 0 if the file has none */
    double gravity;     /* global attribute, m/s2; NAN if there is none */
    double manning;     /* variable, or else global attribute, s/m^(1/3); NAN if there is none */
    double *manning_of; /* ny x nx: of each cell, where they differ; else null */
    /* ny x nx, null if no terrain is missing: 2 for a cell without terrain, which is a wall, 1 for one
     * that rises to such a cell. In the bytes of a plane. */
    unsigned char *wall;
};

/* Reads a file of the layout above with at most one record, for a run of the system. Checks everything: fails with
 * ERR_INPUT and a message that names file, variable and place. What Shoal wrote in one record
 * comes back bit for bit. Free with nc_input_free, also after a failure.
 *
 * Where the file has `bed` at centres only, corners are interpolated; a cell that is dry above
 * that bed stays dry, a wet one keeps its level unless that is below the mean of the new corners. */
enum err nc_read(const char *path, const struct system *system, struct nc_input *in);

/* True if a file has the bed and an initial state: it has this layout. */
enum err nc_has(const char *path, const char *variable, int *yes);
enum err nc_has_state(const char *path, int *yes);

/* Reads gravity and Manning's n, as numbers, from a file of any layout. `by_cell`: there is a field
 * `manning`, which is not read. */
enum err nc_read_constants(const char *path, struct nc_input *in, int *by_cell);

void nc_input_free(struct nc_input *in); /* accepts a zeroed or freed struct */

#endif
