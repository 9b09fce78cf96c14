/* What the files share that write netCDF. Private to them. */
#ifndef SHOAL_NCWRITE_PARTS_H
#define SHOAL_NCWRITE_PARTS_H

#include <errno.h>

#include "core/ncaccess.h"
#include "core/ncfile.h"
#include "core/outfile.h"

enum { CHUNK_SIDE = 1024, CHUNK_VALUES = CHUNK_SIDE * CHUNK_SIDE };

struct ncwriter {
    struct ncwrite_info info;
    struct outfile file;
    int id; /* of the netCDF file; -1: not open */
    int dim_x, dim_y, dim_xc, dim_yc, dim_time;
    int bed, bed_corner, time, fields[OUTPUT_VARIABLES];
    size_t records;
    struct ncgauges *gauges;   /* null: there are none */
    struct ncbalance *balance; /* null until the first row */
    void *tile;                /* CHUNK_VALUES reals */
};

/* netCDF reports a full disk as "HDF error"; errno, if it survived, says what it was. */
enum err ncwrite_failed(const struct ncwriter *w, int status, int error);

/* Runs a netCDF call of the writer `w`; returns from the caller if it fails. */
#define NC(call)                                        \
    do {                                                \
        errno = 0;                                      \
        int nc_status = (call);                         \
        if (nc_status != NC_NOERR)                      \
            return ncwrite_failed(w, nc_status, errno); \
    } while (0)

/* What is known of a variable; null: no such attribute. */
struct label {
    const char *name, *title, *standard, *units, *axis;
};

enum err ncwrite_text(const struct ncwriter *w, int var, const char *name, const char *text);
enum err ncwrite_label(const struct ncwriter *w, int var, const struct label *l);

/* The type of the run's numbers. */
nc_type ncwrite_real(const struct ncwriter *w);

/* Coordinates x, y, x_corner, y_corner and time. */
enum err ncwrite_axes(struct ncwriter *w);

/* What a map of the file is made of: numbers as they are, the bed at centres, those less the bed, those
 * and the bed. */
enum content { COPY, BED_MEAN, ABOVE_BED, WITH_BED };

/* A map: the value of column i of row j lies `row` j + `column` i numbers behind `data`. */
struct plane {
    int var;
    enum content content;
    const void *data; /* not for BED_MEAN */
    long row, column;
    size_t nx, ny;
    int timed; /* one of a record */
};

/* A variable for maps of n[0] rows of n[1] columns; dims: time, y, x, the first only where `timed`. */
enum err ncwrite_define_plane(const struct ncwriter *w, const struct label *l, const int dims[3],
                              const size_t n[2], int timed, int *var);
enum err ncwrite_plane(const struct ncwriter *w, const struct plane *p);

/* A variable with one value per gauge; where they stand is told by these. */
#define GAUGE_COORDINATES "gauge_x gauge_y gauge_name"
enum err ncwrite_define_at_gauges(const struct ncwriter *w, const struct label *l, int *var);

/* How many rows of each series are there. */
void ncwrite_set_rows(struct ncwriter *w, const size_t rows[SERIES]);

/* Frees what the tables of gauges and of the balance keep. */
void ncwrite_free_tables(struct ncwriter *w);

#endif
