/* What a simulation has on its device: a list of named arrays. Where the numbers of one lie is said here and in
 * array.c, nowhere else. */
#ifndef SHOAL_ARRAY_H
#define SHOAL_ARRAY_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/map_area.h"
#include "kernels/host_args.h"

struct sim;

/* The two ways a field can be stored: as it is, or with x and y exchanged. */
enum view { PLAIN, TURNED, VIEWS };

/* ARRAY_FLAT: its bytes have no places. ARRAY_CELLS and ARRAY_CORNERS: a number of the run's precision for each cell, or corner,
 * in rows from south to north, with ghosts around them. */
enum layout { ARRAY_FLAT, ARRAY_CELLS, ARRAY_CORNERS };

/* How what several parts have of it becomes one: all have the same; the sum of counters; each has its share of a plane
 * of cells, or of the positions along the domain's rim; the largest pattern of one number. */
enum joined { JOIN_SAME, JOIN_SUM, JOIN_PLANE, JOIN_RIM, JOIN_LARGEST };

struct array {
    char name[32]; /* of its own in the sim: lower-case letters, digits and _ */
    enum layout layout;
    enum joined joined;
    size_t bytes; /* of a ARRAY_FLAT one; the sim knows those of the others */
    size_t size;  /* of a number of JOIN_RIM */
    int kept;     /* a pass leaves something in it for the next: checkpoints keep it */
    int given;    /* the host writes it once, ghosts included, and nobody after that */
    int byte;     /* what all of it is at first: 0; or 0xff, NaN, so that what nobody wrote shows */
    void *memory; /* on the device, the sim's */
};

enum { SIM_ARRAYS = 80 };

/* Adds one like `wanted`, with memory; it lives as long as the sim. */
enum err sim_array(struct sim *s, const struct array *wanted, struct array **added);

/* Makes an array longer; what it held stays at its beginning. What knows its memory must ask for it again. */
enum err sim_array_grow(struct sim *s, struct array *a, size_t bytes);

/* The same as sim_array; tells its memory alone. */
enum err sim_memory(struct sim *s, const struct array *wanted, void **p);

/* Adds bytes that no checkpoint keeps and that mean nothing to another part; tells their memory. */
enum err sim_room(struct sim *s, const char *name, size_t bytes, void **p);

/* Memory with these bytes, which nobody writes after that; `to` is a pointer to the pointer that gets it. */
enum err sim_constant(struct sim *s, const char *name, const void *from, size_t bytes, void *to);

/* NULL where the sim has none of that name. */
struct array *sim_find_array(struct sim *s, const char *name);

/* The cells that its arrays have rows of: its own, and those beyond (core/sim/apron.h). */
struct window sim_stored(const struct sim *s);

/* The first cell or corner of an array in a view, as kernels take it; and bytes before the first one stored, where rows are
 * `pitch` numbers apart. */
real *array_first(const struct sim *s, const struct array *a, enum view v);
size_t sim_first_cell(const struct sim *s, long pitch);

/* The array of the solution's unknown number k, as the user laid out the domain. */
struct array *sim_unknown(const struct sim *s, int k);

/* Positions on the rim of a sim's cells; and where those of an edge begin: west, east, south and north one after the
 * other. */
size_t sim_rim_length(const struct sim *s);
size_t sim_rim_at(const struct sim *s, enum edge e);

/* The part of a rim, RIM_SUMS' first or `rim` of the sim, that belongs to an edge: west, east, south and north one after
 * the other. Null for a null rim. */
real *rim_part(const struct sim *s, real *rim, enum edge e);

/* All cells, as the user laid out the domain. */
struct window sim_domain(const struct sim *s);

/* The one door to what ARRAY_CELLS hold. Copies a window of them, as the user laid out the domain (NULL: all), to `to`:
 * rows of its nx numbers, of the run's precision, from south to north. Waits for the device. */
enum err sim_read(struct sim *s, const struct array *a, const struct window *w, void *to);

/* The other way round: overwrites a window of the cells, not the ghosts. */
enum err sim_write(struct sim *s, const struct array *a, const struct window *w, const void *from);

/* What a checkpoint keeps of an array, so many bytes, the same for any number of parts: cells as sim_read has them. To the
 * host, and back. Waits for the device. */
size_t sim_kept_bytes(const struct sim *s, const struct array *a);
enum err sim_keep(struct sim *s, const struct array *a, void *to);
enum err sim_take(struct sim *s, const struct array *a, const void *from);

/* sim_read while the run goes on: fetch starts it, under a number of the backend's, into `room` from its host_alloc,
 * which needs so many bytes; when that has arrived, the number of the window's column i in row j lies
 * `pitch` j + `column` i numbers behind `first`. */
struct array_rows {
    const void *first;
    long pitch, column;
};
size_t sim_fetch_bytes(const struct sim *s, const struct window *w);
enum err sim_fetch(struct sim *s, const struct array *a, const struct window *w, int number,
                   void *room);
enum err sim_fetch_wait(struct sim *s, int number); /* in any thread */
struct array_rows sim_fetched(const struct sim *s, const struct window *w, const void *room);

/* The numbers of such rows, nx by ny of `size` bytes, without gaps. */
void rows_gather(const struct array_rows *from, int nx, int ny, size_t size, void *to);

#endif
