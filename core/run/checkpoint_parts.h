/* Shared by writing and reading checkpoints. */
#ifndef SHOAL_CHECKPOINT_PARTS_H
#define SHOAL_CHECKPOINT_PARTS_H

#include "core/run/checkpoint.h"
#include "core/base/sha256.h"

/* Increase them with any change of a checkpoint's content, or of the structs whose bytes it holds.
 * CHECKPOINT_TILED: only tiles that differ from the start, of a sparse run. */
enum { CHECKPOINT_LAYOUT = 4, CHECKPOINT_TILED = 5 };
_Static_assert(sizeof(struct clock) == 240, "the clock has changed: raise CHECKPOINT_LAYOUT");

/* Names of the variables that hold what a sim keeps, and of the attributes. */
#define CHECKPOINT_BED      "bed_corner"
#define CHECKPOINT_SYSTEM   "system"
#define CHECKPOINT_STATE    "state_"
#define CHECKPOINT_VERSION  "checkpoint_layout"
#define CHECKPOINT_SETTINGS "checkpoint_settings"
#define CHECKPOINT_WALL     "checkpoint_wall"
#define CHECKPOINT_TILES    "tile_state"
#define CHECKPOINT_NOTES    "notes"          /* of each tile: sparse_note */
#define CHECKPOINT_BED_SUM  "checkpoint_bed" /* of a sparse run */
#define CHECKPOINT_SOURCE   "checkpoint_bed_source"
extern const char *const checkpoint_tile[2]; /* its width and height */
extern const char *const checkpoint_rows[SERIES];

/* A variable of the file. */
struct stored_array {
    char name[NAME_LENGTH];
    size_t bytes, row; /* bytes in all; of a row of the last dimension */
    size_t high;       /* rows of a chunk, which is unpacked each time that some of it is read */
    int var;
};

enum { CHECKPOINT_ARRAYS = 1 + UNKNOWNS + SIM_ARRAYS + 1 };

/* An open checkpoint: the bed at corners, the unknowns, then what else the sim keeps, and notes of tiles. */
struct content {
    char *settings;      /* the settings that affect the result, "key = value" lines; freed by
                          * content_free */
    double wall;         /* seconds spent stepping */
    size_t rows[SERIES]; /* of the output so far */
    struct stored_array array[CHECKPOINT_ARRAYS];
    int count;
    struct tiles tiles;   /* no columns: the file has all cells */
    unsigned char *state; /* of each tile: as sparse_held says; null likewise; owned */
    char *bed;            /* the sum of the bed's levels, as text; null likewise; owned */
    char *source;         /* that of the levels as given; null: the file is older; owned */
    int is_open, file;    /* netCDF's handle */
};

void content_free(struct content *c); /* accepts a zeroed one */

/* Appends an array of this many bytes. */
enum err content_add(struct content *c, const char *prefix, const char *name, size_t bytes);

/* Reads this many bytes of an array, in whole rows, from byte `first` on. */
enum err content_get(const struct content *c, const struct stored_array *a, size_t first,
                     size_t bytes, void *to);
/* The same of the cells of a window, in rows without gaps. */
enum err content_get_cells(const struct content *c, const struct stored_array *a,
                           const struct window *w, void *to);
void content_close(struct content *c); /* its file */

/* core/run/checkpoint_bands.c: several threads read an array of cells; gives each band of its rows, so
 * many bytes from byte `first` of all on, in order. */
typedef enum err band_work(void *context, const void *rows, size_t first, size_t bytes);
enum err checkpoint_by_bands(struct sim *s, const struct array *a, band_work *take, void *context);
int checkpoint_helpers(void); /* threads that may help while a run waits for its checkpoint */

/* core/run/checkpoint_tiles.c.
 *
 * The tiles that a checkpoint of the run holds; null: all cells. */
enum err checkpoint_held(const struct sim *s, unsigned char **state);

/* Adds the notes of tiles. Gets those of a file for a run of the same division, which the caller frees; else, or from an
 * older file, null. */
enum err checkpoint_put_notes(struct sim *s, struct ncwriter *w);
enum err checkpoint_get_notes(const struct sim *s, const struct content *c,
                              const struct stored_array *a, bits **notes);

/* Of a file that has only some tiles: takes the cells of an array; checks that the bed is this
 * run's. */
enum err checkpoint_take_tiles(struct sim *s, const struct array *a, const struct content *c,
                               const struct stored_array *from);
enum err checkpoint_check_bed_sum(const struct sim *s, const struct content *c, const char *path);

/* The sum of the bed's levels, as text; that of the levels as given: if it is the same, so are all
 * of the run's levels. */
enum { BED_SUM = 16 };
void checkpoint_bed_sum(const struct sim *s, char text[BED_SUM + 1]);
void checkpoint_source_sum(const struct sim *s, char text[BED_SUM + 1]);

/* A run's identity: the SHA-256 of its settings. */
void settings_digest(const char *settings, char hex[SHA256_DIGITS + 1]);

/* Opens a file with an intact seal, of a run of the system. Free with content_free. */
enum err checkpoint_read(struct content *c, const struct system *system, const char *path);

/* Only the settings of such a file; the caller frees them. */
enum err checkpoint_read_settings(const char *path, char **settings);

/* All settings that affect the result, one a line, with the values that case or file gave to
 * those not set. The caller frees them. */
enum err checkpoint_settings(const struct sim *s, const struct problem *p, char **text);

/* Fails with ERR_USAGE on the first setting that differs, naming it with both values. */
enum err checkpoint_compare(const char *theirs, const char *ours, const char *path);

#endif
