/* The tuning database: measurements of kernels as text. tuning_db/README.md describes the format. */
#ifndef SHOAL_TUNING_DB_H
#define SHOAL_TUNING_DB_H

#include <stddef.h>
#include <time.h>

#include "kernels/kernel.h"
#include "core/base/paths.h"

/* Longest texts, without their NUL. */
enum { DB_FLAGS = 24, DB_HASH = 12, DB_SESSION = 8, DB_REASON = 200, DB_NAME = 63, DB_LINE = 1023 };

#define DB_OUTCOME_TABLE(X)         \
    X(OK, "ok")                     \
    X(CONSTRAINT, "constraint")     \
    X(COMPILE, "compile")           \
    X(LAUNCH, "launch")             \
    X(WRONG_ANSWER, "wrong-answer") \
    X(TIME_OUT, "time-out")

enum db_outcome {
#define DB_OUTCOME_ENUM(id, name) DB_##id,
    DB_OUTCOME_TABLE(DB_OUTCOME_ENUM)
#undef DB_OUTCOME_ENUM
        DB_OUTCOMES
};
extern const char *const db_outcomes[DB_OUTCOMES];

/* id, column, decimals, least, largest, every row that is ok has it */
#define DB_NUMBER_TABLE(X)                              \
    X(KEPT, "kept", 0, 0, 1e6, 1)                       \
    X(DROPPED, "dropped", 0, 0, 1e6, 1)                 \
    X(MIN, "min_us", 3, 0.001, 1e9, 1)                  \
    X(Q1, "q1_us", 3, 0.001, 1e9, 1)                    \
    X(MEDIAN, "median_us", 3, 0.001, 1e9, 1)            \
    X(Q3, "q3_us", 3, 0.001, 1e9, 1)                    \
    X(MAX, "max_us", 3, 0.001, 1e9, 1)                  \
    X(MEAN, "mean_us", 3, 0.001, 1e9, 1)                \
    X(SPREAD, "spread_us", 3, 0, 1e9, 1)                \
    X(SENTINEL, "sentinel_us", 3, 0.001, 1e9, 0)        \
    X(REGISTERS, "registers", 0, 1, 1024, 0)            \
    X(SHARED, "shared_b", 0, 0, 1 << 20, 0)             \
    X(SPILL, "spill_b", 0, 0, 1 << 20, 0)               \
    X(OCCUPANCY, "occupancy", 3, 0.001, 1, 0)           \
    X(COMPILE_COST, "compile_ms", 1, 0, 1e7, 0)         \
    X(LOAD_COST, "load_ms", 1, 0, 1e7, 0)               \
    X(MEASURE_COST, "measure_ms", 1, 0, 1e7, 1)         \
    X(CLOCK, "clock_mhz", 0, 50, 1e4, 0)                \
    X(MEMORY_CLOCK, "memory_mhz", 0, 50, 1e5, 0)        \
    X(TEMPERATURE, "temperature_c", 0, -50, 150, 0)     \
    X(THROTTLE, "throttle", 0, 0, 9007199254740992., 0) \
    X(SEQUENCE, "sequence", 0, 0, 1e9, 1)

enum db_number {
#define DB_NUMBER_ENUM(id, name, decimals, low, high, always) DB_##id,
    DB_NUMBER_TABLE(DB_NUMBER_ENUM)
#undef DB_NUMBER_ENUM
        DB_NUMBERS
};

/* A column of numbers, as DB_NUMBER_TABLE has it. */
struct db_column {
    const char *name;
    int decimals;
    double low, high;
    int always;
};
extern const struct db_column db_columns[DB_NUMBERS];

/* One measurement of one configuration. */
struct db_row {
    char flags[DB_FLAGS + 1], source[DB_HASH + 1]; /* with the block and the session: identity */
    struct block block;
    char session[DB_SESSION + 1], binary[DB_HASH + 1]; /* binary "-": there is none */
    enum db_outcome outcome;
    char reason[DB_REASON + 1], method[8]; /* "-" for none */
    double number[DB_NUMBERS];             /* NAN for none */
    int line;                              /* in the file it was read from */
};

/* Called for each fault; line 0 is the file as a whole. */
typedef void db_report(void *context, const char *path, int line, const char *fault);

/* The line of column names, without a line end. */
void db_header(char line[DB_LINE + 1]);

/* Parses a row. Fails with ERR_INPUT, and a message that names the column, if the line differs from
 * what db_row_format would write, a number is implausible, or a failure has no reason. */
enum err db_row_parse(const char *line, struct db_row *row);
void db_row_format(const struct db_row *row, char line[DB_LINE + 1]);

/* The order of rows in a file, by identity: negative, 0 or positive. */
int db_row_order(const struct db_row *a, const struct db_row *b);

/* Which of two rows for one block carries more weight: positive if `a` does. A failure that more
 * time would not cure, then ok with more timings, then the slower, then a time-out; 0 only for
 * equal rows. */
int db_row_weight(const struct db_row *a, const struct db_row *b);

struct db_table {
    struct db_row *row;
    size_t count;
};

/* Reads a file and, of a table that is split, its parts, rows in the order they have them. A malformed row is reported (a logged warning where
 * `report` is NULL) and left out. Fails where there is no such file or its columns are others. */
enum err db_read(const char *path, db_report *report, void *context, struct db_table *t);
void db_free(struct db_table *t);

/* Sorts by identity; of rows with equal identity the weightiest stays. */
void db_sort(struct db_table *t);

/* Writes a file that appears complete or not at all. Sorts the table. */
enum err db_write(const char *path, struct db_table *t);

/* Adds rows to a file, which is created if need be; its folder must exist. Locks the folder, so
 * that several writers lose nothing. Any order of merges gives the same file. Keeps an invalid
 * line, and logs a warning. */
enum err db_merge(const char *path, const struct db_table *more);

/* The rows of equal flags and source in a sorted table, one for each block: the weightiest over
 * all sessions. Those that are ok come first, the winner before all. */
struct db_group {
    struct db_row *row;
    size_t count, ok;
};

/* The group that starts at row *next of the table, and where the next one starts. At the end of
 * the table the group is empty. */
enum err db_group_next(const struct db_table *t, size_t *next, struct db_group *g);
void db_group_free(struct db_group *g);

/* The row of a block; NULL if it was not tried. */
const struct db_row *db_group_row(const struct db_group *g, struct block b);

/* The confidence interval of an ok row's median, us. */
void db_interval(const struct db_row *row, double *low, double *high);

/* Do the intervals of two ok rows overlap? Then neither is called the faster. */
int db_tied(const struct db_row *a, const struct db_row *b);

/* A lock on the folder of a file, held while `lock` is open: the caller closes it. It leaves
 * nothing behind, and ends with the process. Deletes what a killed writer of the file left. */
enum err db_lock(const char *path, int *lock);

enum { DB_KEY = 255, DB_VALUE = 1023, DB_ENTRIES = 16384 };

/* The manifest of an environment, flattened: {"a": {"b": "c"}} is the entry a/b = c. Sorted. One
 * that was read has room for DB_ENTRIES. */
struct db_manifest {
    struct db_entry {
        char key[DB_KEY + 1], value[DB_VALUE + 1];
    } * entry;
    size_t count;
    int changed; /* since it was read */
};

/* The order of entries, by key. */
int db_entry_order(const void *a, const void *b);

enum err db_manifest_read(const char *path, struct db_manifest *m);
void db_manifest_free(struct db_manifest *m);

/* Sets a value, replacing an existing one. The key's parts are separated by /. */
enum err db_manifest_set(struct db_manifest *m, const char *key, const char *value);

/* Reads a manifest (an empty one where there is none; its folder must exist), lets `change` set
 * entries, and writes it, with the folder locked as db_merge does: several writers lose nothing.
 * Fails, and leaves the file as it was, if the result could not be read back; also leaves it if
 * nothing changed. */
enum err db_manifest_change(const char *path,
                            enum err (*change)(struct db_manifest *m, void *context),
                            void *context);

/* Keeps of each block, flags and source only the row of the newest measurement, an ended one if
 * there is one. The table is sorted, and stays so. */
enum err db_newest(struct db_table *t, const struct db_manifest *m);

/* The value of section/name, NULL if there is none. */
const char *db_manifest_get(const struct db_manifest *m, const char *section, const char *name);

/* Does a row's source stand for a text, or for one of the same code by what the manifest says? Then only comments or
 * layout have changed since. */
int db_same_code(const struct db_manifest *m, const char *source, const char *text,
                 const char *code);

/* A member of a session, such as "started"; NULL: it has none. */
const char *db_session_get(const struct db_manifest *m, const char *session, const char *member);

/* The session after entry *at (0 and "": the first) of a manifest; false: there is none. */
int db_session_next(const struct db_manifest *m, size_t *at, char session[DB_SESSION + 1]);

/* A time as manifests have it, UTC. */
enum { DB_TIME = 32 };
void db_time(time_t t, char text[DB_TIME]);

/* When the last of an environment's sessions was started; "" where it has none. */
void db_manifest_latest(const struct db_manifest *m, char latest[DB_TIME]);

/* The processor of an environment: a GPU only if it says so. */
enum backend_kind db_manifest_backend(const struct db_manifest *m);

/* The folder name of an environment. */
void db_manifest_hash(const struct db_manifest *m, char hash[DB_HASH + 1]);

/* The folder name of a device: lower case, with a hyphen for everything but letters and digits. */
void db_device_folder(const char *device, char folder[DB_NAME + 1]);

enum db_kind {
    DB_README,
    DB_MANIFEST,
    DB_KERNEL,
    DB_KERNEL_PART, /* of a kernel's table that is split: split_tables.h */
    DB_EXPERIMENT,  /* or a part of one */
    DB_PUBLISHED,
    DB_STRANGE
};

/* The kind of a database file, from its place. */
struct db_place {
    enum db_kind kind;
    char device[DB_NAME + 1], environment[DB_NAME + 1], kernel[DB_NAME + 1], flow[DB_NAME + 1];
    int nx, ny;
    enum precision precision;
};
void db_place_parse(const char *relative, struct db_place *place);

/* All files below a folder, relative to it, in byte order. */
enum { DB_FILE = 511 };
struct db_list {
    char (*path)[DB_FILE + 1];
    size_t count;
};
enum err db_list_read(const char *folder, struct db_list *list);
void db_list_free(struct db_list *list);

/* folder/relative */
enum err db_path(const char *folder, const char *relative, char path[PATH_LENGTH]);

/* The manifest of the environment a file belongs to. */
enum err db_manifest_of(const char *folder, const struct db_place *place, struct db_manifest *m);

/* Rows of a kernel's table that compete, and where they were measured. */
struct db_seen {
    const char *path; /* relative to the database */
    const struct db_place *place;
    const struct db_manifest *manifest;
    const struct db_group *group;
};

/* Calls `each` for every group of a table, each block with its newest row. */
enum err db_groups(const char *folder, const char *relative,
                   enum err (*each)(void *context, const struct db_seen *seen), void *context);

struct db_query {
    const char *kernel;
    const char *flags;  /* the text of the flags; NULL: any */
    int other_flags;    /* where there are none of these, others will do */
    const char *source; /* rows of this text, or of one of the same code, come first; NULL: any */
    const char *code;
    enum precision precision;
    int nx, ny;
    int warps; /* where a block is a warp: how many the device holds at once, at most; else 0 */
    int units; /* then: its multiprocessors */
};

enum db_match { DB_SAME_SIZE, DB_OTHER_SIZE, DB_SAME_CAPABILITY, DB_NO_MATCH };

struct db_found {
    enum db_match match;
    struct db_row row;
    struct db_place
        place; /* of the table it is from, or of that beside it of the first kernel asked for */
    int other_flags, other_source; /* than those asked for */
};

/* The part of a database relevant to a device, for many cheap look-ups: lists folders and reads
 * files on demand. A missing folder is an empty database. */
struct db_view;

/* A device as the driver names it; "9.0", or NULL where there is no compute capability; of a CPU, how
 * many threads work, because blocks that keep two busy may leave the others of sixty idle (0: any). */
enum err db_view_open(struct db_view **out, const char *folder, const char *device,
                      const char *compute_capability, int threads);
void db_view_close(struct db_view *v); /* accepts NULL */

/* The winner to use: of this device at this size, else at the nearest one (by the number of cells),
 * else of a device with the same compute capability, else none, which is no error. Several kernels
 * must have one block in common: of blocks that are ok for all of them, in one environment at one
 * size, the one with the least sum of their intervals' upper ends. Where a block is a warp, and the size is another one, times
 * are those by which its blocks fill the device there (core/db/rounds.h). All of `found` match, or none does. The queries differ in kernel, flags
 * and source only. */
enum err db_view_find(struct db_view *v, const struct db_query *q, int count,
                      struct db_found *found);

/* Calls `each` for every table of an experiment: of this device (DB_OTHER_SIZE), or of one with the
 * same compute capability (DB_SAME_CAPABILITY). */
typedef enum err db_experiment(void *context, const char *path, enum db_match match,
                               const struct db_manifest *m);
enum err db_view_experiments(struct db_view *v, const char *id, db_experiment *each, void *context);

/* A table with columns of its own: cells as text, row 0 the columns' names. */
struct db_cells {
    char *text, **cell;
    size_t rows;
    int columns;
};

/* A malformed row is a warning and is left out. Fails where the file has no line of names. */
enum err db_cells_read(const char *path, struct db_cells *t);
void db_cells_free(struct db_cells *t);
int db_cells_column(const struct db_cells *t, const char *name); /* -1: there is none */
const char *db_cells_at(const struct db_cells *t, size_t row, int column);

/* Is a cell valid in that column of an experiment's table: a decimal number or "-", except in
 * columns of words? */
int db_cells_fits(const char *column, const char *cell);

/* Adds rows, lines without their ends, to an experiment's table, which is created if need be; its
 * folder must exist. The union, sorted; several writers lose nothing. */
enum err db_cells_merge(const char *path, const char *header, const char *const *rows, size_t n);

struct db_checked {
    int files, rows, faults;
    int records, open; /* digests of what was measured; sessions that have not ended */
    double bytes;
};

/* Checks a whole database; reports each fault with its remedy. */
enum err db_check(const char *folder, db_report *report, void *context, struct db_checked *sum);

#endif
