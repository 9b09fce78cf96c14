/* Shared by the files that write netCDF. Private to them. */
#ifndef SHOAL_WRITE_PARTS_H
#define SHOAL_WRITE_PARTS_H

#include <errno.h>

#include "core/base/ordered_workers.h"
#include "core/netcdf/hdf5.h"
#include "core/netcdf/variables.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/output_file.h"

/* Rows of a series in a chunk. */
enum { SERIES_CHUNK = 64 };

enum { CHUNK_SIDE = 1024, CHUNK_VALUES = CHUNK_SIDE * CHUNK_SIDE };

/* A packed chunk of one number. */
struct ncuniform {
    unsigned char number[sizeof(double)];
    size_t size, n; /* bytes of the number; how many of it; 0: there is none yet */
    size_t bytes;
    void *packed; /* owned */
};

/* A chunk of a map on its way into the file. */
struct ncbuffer {
    size_t room;        /* bytes of each: */
    void *values;       /* as numbers, and finally as stored in the file, */
    void *packed;       /* in between */
    const void *stored; /* as the file gets it: `bytes` of it */
    size_t bytes;
    unsigned left_out;        /* bits of the file's filters that it has not gone through */
    struct ncuniform uniform; /* the last one */
};

struct ncwriter {
    struct ncwrite_info info;
    struct outfile file;
    int id; /* of the netCDF file; -1: not open */
    int dim_x, dim_y, dim_xc, dim_yc, dim_time;
    int bed, bed_corner, time, fields[SYSTEM_VARIABLES], tile_state;
    size_t records;
    char mark[NCWRITE_MARK + 1];
    struct ncgauges *gauges;     /* null: there are none */
    struct ncbalance *balance;   /* null until the first row */
    struct ncsections *sections; /* null: there are none */
    void *tile;                  /* CHUNK_VALUES reals, for the rows of gauges */
    struct ncbuffer
        *buffer;   /* of chunks of maps: one for each place of core/base/ordered_workers.h, */
    char *buffers; /* which lie here */
    int packs;     /* packs chunks here, and gives them to HDF5: */
    struct hdf5 hdf5;
};

/* netCDF reports a full disk as "HDF error": asks the file system for the cause, or uses errno, if
 * it survived. */
enum err ncwrite_failed(const struct ncwriter *w, int status, int error);

/* Runs a netCDF call of the writer `w`; returns from the caller if it fails. */
#define NC(call)                                        \
    do {                                                \
        errno = 0;                                      \
        int nc_status = (call);                         \
        if (nc_status != NC_NOERR)                      \
            return ncwrite_failed(w, nc_status, errno); \
    } while (0)

/* Closes the netCDF file with all of its content. The library crashes if it cannot write while it
 * closes (seen with netCDF 4.9.0 on HDF5 1.10.8), so as little as possible is left for then, and a
 * file whose earlier write failed stays open until the process ends. */
enum err ncwrite_close(struct ncwriter *w);

/* Adds the digest of a complete file. HDF5's own checksums do not suffice: with fletcher32 on every
 * variable of a checkpoint, of 3000 flipped bits 5 changed the data without an error, 3 crashed the
 * library and 1 put it into an endless loop. */
enum err ncwrite_seal(const struct outfile *f);

/* Attributes of a variable; null: no such attribute. */
struct label {
    const char *name, *title, *standard, *units, *axis;
};

enum err ncwrite_text(const struct ncwriter *w, int var, const char *name, const char *text);
enum err ncwrite_label(const struct ncwriter *w, int var, const struct label *l);

/* Defines a variable that has a label. */
enum err ncwrite_define(const struct ncwriter *w, const struct label *l, nc_type type, int dims,
                        const int *dim, int *var);

/* A coordinate in double, as all are, of the n > 0 numbers that `at` gives. */
enum err ncwrite_coordinate(const struct ncwriter *w, const struct label *l, int dim, int n,
                            double (*at)(const void *context, int i), const void *context,
                            int *var);

/* A time in seconds, or seconds since info.start, over an unlimited dimension of its own name; with
 * dim null, a scalar. A chunk of 0 leaves the choice to the library. */
enum err ncwrite_define_time(const struct ncwriter *w, const char *name, const char *title,
                             size_t chunk, int *dim, int *var);

/* The type of the run's numbers. */
nc_type ncwrite_real(const struct ncwriter *w);

/* Coordinates x, y, x_corner, y_corner and time. */
enum err ncwrite_axes(struct ncwriter *w);

/* How to make a map: numbers as they are; the bed, at corners and at centres; eta converted to a
 * depth, and to a level; depths converted to levels. */
enum content { COPY, CARRIED, BED_CORNER, BED_MEAN, ETA_DEPTH, ETA_LEVEL, DEPTH_LEVEL };

/* Missing values of a plane are NAN. Call it before writing any of it. */
enum err ncwrite_missing(const struct ncwriter *w, int var);

/* The writer as one of a file in double precision, for data that are double in any file. It owns
 * nothing. */
struct ncwriter ncwrite_in_double(const struct ncwriter *w);

/* A map: the value of column i of row j is `row` (j - `south`) + `column` (i - `west`) numbers
 * after `data`. */
struct plane {
    int var;
    enum content content;
    const void *data;  /* not for the bed */
    const void *level; /* eta, for CARRIED */
    long row, column, west, south;
    size_t nx, ny;
    int timed;                       /* one of a record */
    const unsigned char *tile_state; /* as in struct ncwrite_record; null: writes all of it */
    int number;                      /* as ncwrite_fetched requests it */
};

/* A variable for maps of n[0] rows of n[1] columns; dims: time, y, x, the first only where `timed`. */
enum err ncwrite_define_plane(const struct ncwriter *w, const struct label *l, const int dims[3],
                              const size_t n[2], int timed, int *var);
enum err ncwrite_plane(const struct ncwriter *w, const struct plane *p);

/* The same for n of them, of one size. */
enum err ncwrite_planes(const struct ncwriter *w, const struct plane *p, size_t n);

/* The same, but `data` and `level` are fetched, a band of rows at a time: the plane's number and 0. */
enum err ncwrite_fetched(const struct ncwriter *w, const struct plane *p, size_t n,
                         const struct ncwrite_rows *rows);

/* Call it when netCDF has opened the file: can HDF5 take chunks of it? */
void ncwrite_find_file(struct ncwriter *w);

/* It can pack some chunks of a variable and leave others as they are. netCDF alone cannot. */
int ncwrite_packs_uniform(const struct ncwriter *w);

/* What they need, while the file is open. */
enum err ncwrite_open_planes(struct ncwriter *w);
void ncwrite_free_planes(struct ncwriter *w);

/* A part of a map: rows and columns. */
struct piece {
    size_t start[2], count[2];
};

/* Maps opened for direct chunks, packed as in the file. */
struct ncpacked {
    hdf5_id set[SYSTEM_VARIABLES];
    size_t count;
    const struct plane *plane;
};
enum err ncpack_open(const struct ncwriter *w, const struct plane *p, size_t n,
                     struct ncpacked *to);
void ncpack_close(const struct ncwriter *w, struct ncpacked *p);

/* n values of a buffer: all missing; packed, in rows of `width` of which the piece fills the first.
 * Thread safe. */
void ncpack_blank(const struct ncwriter *w, struct ncbuffer *b, size_t n);
enum err ncpack(const struct ncwriter *w, struct ncbuffer *b, const struct piece *c, size_t width,
                size_t n);

/* Map number `which` gets a packed chunk. */
enum err ncpack_write(const struct ncwriter *w, const struct ncpacked *p, size_t which,
                      const struct piece *at, const struct ncbuffer *b);

/* The table of a sparse domain's tiles: their states at the time of each record. Does nothing
 * without tiles. */
enum err ncwrite_define_tiles(struct ncwriter *w);
enum err ncwrite_put_tiles(const struct ncwriter *w, const unsigned char *state);

/* True if no tile that is written has a cell of a piece of a map. */
int ncwrite_is_gap(const struct ncwriter *w, const struct plane *p, const struct piece *c);

/* A variable with one value per gauge; these variables give the gauges' positions. */
#define GAUGE_COORDINATES "gauge_x gauge_y gauge_name"
enum err ncwrite_define_at_gauges(const struct ncwriter *w, const struct label *l, int *var);

/* Converts depths at the gauges, in the run's precision, to levels. */
void ncwrite_raise_at_gauges(const struct ncwriter *w, void *values);

/* Defines the variable with the names of what has the dimension `dim`: "gauge_name" where `what` is "gauge". */
struct names {
    const char *what, *title;
    const char *(*name)(const void *context, int k);
    const void *context;
};
enum err ncwrite_names(const struct ncwriter *w, const struct names *n, int dim, int count);

/* The rows of the sections, of which there are some. */
size_t *ncwrite_section_rows(const struct ncwriter *w);

/* Does the netCDF file `id` have that map? */
int ncwrite_has_maximum(int id, enum output_maximum which);

/* The number of rows of each series. */
void ncwrite_set_rows(struct ncwriter *w, const size_t rows[SERIES]);

/* Frees what the tables of gauges and of the balance keep. */
void ncwrite_free_tables(struct ncwriter *w);

#endif
