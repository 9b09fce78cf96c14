/* Shared by the files that make the output of a run. Private to them. */
#ifndef SHOAL_RESULT_PARTS_H
#define SHOAL_RESULT_PARTS_H

#include "core/base/job_queue.h"
#include "core/sim/gauges.h"
#include "core/mesh/map_area.h"
#include "core/run/result.h"

/* While a thread writes one buffer the run fills the other. */
enum { BUFFERS = FETCHES };

/* A record in transit: rows of fields in the device's layout. */
struct map_buffer {
    struct result *result;
    int number;
    double t;
    void *field[UNKNOWNS]; /* null: not requested */
};

struct gauge_buffer {
    struct result *result;
    struct gauge_rows rows;
};

struct balance_buffer {
    struct result *result;
    double t, volumes[CONSERVED][VOLUMES];
};

struct section_buffer {
    struct result *result;
    double t, volumes[SECTION_CHOICES];
};

struct result {
    struct ncwriter *writer;
    struct job_queue *background; /* the only thread that writes until the run ends */
    struct sim *sim;
    struct window window; /* the cells that maps show */
    int by_bands; /* maps are written a few rows at a time, while the run waits: large ones, and
                   * those of sparse domains, whose absent tiles are sampled only where needed */
    double *bed;  /* at the window's corners, m above the datum; null: sampled when needed */
    unsigned variables; /* of the system: bits 1 << number */
    struct map_buffer map[BUFFERS];
    struct gauge_buffer gauge[BUFFERS];
    struct balance_buffer balance[BUFFERS];
    struct section_buffer section[BUFFERS];
    const struct section_list *sections;      /* null: none */
    int maps, gauges, balances, section_rows; /* buffers handed over so far */
    double balance_t, section_t;              /* of the last row; NAN: none */
    size_t kept[SERIES];                      /* rows of the last copy */
    double covered; /* an earlier copy may have all rows up to this time; NAN: none */
};

/* result_provenance.c */
enum err result_describe_end(struct result *r, const struct balance *b);

/* result_replaced.c: interval of each series' rows, s; NAN: none. */
void result_intervals(const struct result *r, double every[SERIES]);

/* The tiles of a run whose maps omit absent tiles; else no columns. */
struct tiles result_tiles(const struct sim *s);

/* result_maps.c */
double result_most_for_copies(const struct result *r);
int result_maps_are_large(const struct result *r);
enum err result_maps_open(struct result *r);
void result_maps_close(struct result *r);
enum err result_maps_record(struct result *r);

/* result_gauges.c: does nothing without gauges. */
enum err result_gauges_open(struct result *r);
void result_gauges_close(struct result *r);
enum err result_gauges_take(struct result *r); /* those that are still on the device */

/* result_sections.c: does nothing without sections. */
enum err result_sections_open(struct result *r, const struct section_list *list);

/* result_maxima.c: all of them, at the end; does nothing without --maxima. */
enum err result_maxima_finish(struct result *r);

#endif
