/* A simulation's data on its device: a list of named arrays. Only this header and array.c define
 * their layout. */
#ifndef SHOAL_ARRAY_H
#define SHOAL_ARRAY_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/map_area.h"
#include "kernels/host_args.h"

struct sim;

/* The two layouts of a field: normal, or with x and y exchanged. */
enum view { PLAIN, TURNED, VIEWS };

/* ARRAY_FLAT: plain bytes. ARRAY_CELLS and ARRAY_CORNERS: a number of the run's precision for each
 * cell, or corner, in rows from south to north, with ghosts around them. */
enum layout { ARRAY_FLAT, ARRAY_CELLS, ARRAY_CORNERS };

/* How to combine an array over parts: all have the same; sum the counters; each has its share of a
 * plane of cells, or of the positions along the domain's rim; the largest bit pattern of one
 * number. */
enum joined { JOIN_SAME, JOIN_SUM, JOIN_PLANE, JOIN_RIM, JOIN_LARGEST };

struct array {
    char name[32]; /* unique in the sim: lower-case letters, digits and _ */
    enum layout layout;
    enum joined joined;
    size_t bytes; /* of an ARRAY_FLAT one; the sim computes the others */
    size_t size;  /* of a number of JOIN_RIM */
    int kept;     /* carries data from one pass to the next: checkpoints keep it */
    int given;    /* the host writes it once, ghosts included; constant afterwards */
    int byte;     /* its initial bytes: 0; or 0xff, NaN, so that reading unwritten values shows */
    const char *like; /* the array whose bytes it has in a new tile of a sparse domain; or NULL */
    void *memory;     /* on the device, owned by the sim */
    size_t most;      /* bytes up to which it grows where it is; 0: growing moves it */
};

enum { SIM_ARRAYS = 80 };

/* Adds one like `wanted` and allocates it; it lives as long as the sim. */
enum err sim_array(struct sim *s, const struct array *wanted, struct array **added);

/* Makes an array longer and keeps its content. Its memory may move: ask for the address again. */
enum err sim_array_grow(struct sim *s, struct array *a, size_t bytes);

/* The same as sim_array; returns only its address. */
enum err sim_memory(struct sim *s, const struct array *wanted, void **p);

/* Adds bytes that no checkpoint keeps and other parts ignore; returns their address. */
enum err sim_room(struct sim *s, const char *name, size_t bytes, void **p);

/* Constant device memory with these bytes; `to` points to the pointer that receives it. */
enum err sim_constant(struct sim *s, const char *name, const void *from, size_t bytes, void *to);

/* NULL where the sim has none of that name. */
struct array *sim_find_array(struct sim *s, const char *name);

/* How many numbers of a cell parts and tiles have of each other in their ghost cells: the unknowns
 * of a state, and what the scheme exchanges with them; and their arrays. */
int sim_exchanged(const struct sim *s);
void sim_exchanged_first(struct sim *s, int state, enum view v, real *first[]);

/* The cells that its arrays have rows of: its own, and those beyond (core/sim/apron.h). */
struct window sim_stored(const struct sim *s);

/* The first cell or corner of an array in a view, as kernels take it; and the bytes before the
 * first one stored, in rows `pitch` numbers apart. */
real *array_first(const struct sim *s, const struct array *a, enum view v);
size_t sim_first_cell(const struct sim *s, long pitch);

/* The array of the solution's unknown number k, in the user's orientation. */
struct array *sim_unknown(const struct sim *s, int k);

/* Number of positions on the rim of a sim's cells; and where those of an edge begin: west, east,
 * south and north in turn. */
size_t sim_rim_length(const struct sim *s);
size_t sim_rim_at(const struct sim *s, enum edge e);

/* The part of a rim, RIM_SUMS' first or the sim's `rim`, that belongs to an edge: west, east, south
 * and north in turn. Null for a null rim. */
real *rim_part(const struct sim *s, real *rim, enum edge e);

/* All cells, in the user's orientation. */
struct window sim_domain(const struct sim *s);

/* The only access to ARRAY_CELLS. Copies a window of them, in the user's orientation (NULL: all),
 * to `to`: rows of its nx numbers, of the run's precision, from south to north. Waits for the
 * device. */
enum err sim_read(struct sim *s, const struct array *a, const struct window *w, void *to);

/* Several threads may call sim_read at once: not if other processes answer, which one thread asks,
 * nor in a sparse domain. */
int sim_read_is_shared(const struct sim *s);

/* The inverse: overwrites a window of the cells, not the ghosts. */
enum err sim_write(struct sim *s, const struct array *a, const struct window *w, const void *from);

/* A checkpoint's copy of an array, of this many bytes, the same for any number of parts: cells as
 * sim_read returns them. To the host, and back. Waits for the device. */
size_t sim_kept_bytes(const struct sim *s, const struct array *a);
enum err sim_keep(struct sim *s, const struct array *a, void *to);
enum err sim_take(struct sim *s, const struct array *a, const void *from);

/* sim_read while the run continues: fetch starts it, under a number of the backend's, into `room`
 * from its host_alloc, which needs this many bytes; after arrival, column i of row j of the window
 * is `pitch` j + `column` i numbers after `first`. */
struct array_rows {
    const void *first;
    long pitch, column;
};
size_t sim_fetch_bytes(const struct sim *s, const struct window *w);
enum err sim_fetch(struct sim *s, const struct array *a, const struct window *w, int number,
                   void *room);
enum err sim_fetch_wait(struct sim *s, int number); /* thread safe */
struct array_rows sim_fetched(const struct sim *s, const struct window *w, const void *room);

/* Removes the gaps from such rows, nx by ny numbers of `size` bytes each. */
void rows_gather(const struct array_rows *from, int nx, int ny, size_t size, void *to);

#endif
