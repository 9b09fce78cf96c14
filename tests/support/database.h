/* A made-up tuning database in the scratch folder, db/; include after cmocka.h. */
#ifndef SHOAL_TEST_DATABASE_H
#define SHOAL_TEST_DATABASE_H

#include <math.h>

#include "core/base/log.h"
#include "core/db/tuning_db.h"
#include "tests/support/program.h"

#define SOURCE     "0123456789ab"
#define FLAGS_TEXT "mode=fast limiter=minmod"
#define ENVIRONMENT                                                               \
    "  \"environment\": {\"backend\": \"cuda\", \"device\": \"Made Up 9\",\n"     \
    "    \"compute_capability\": \"9.0\", \"sm_count\": 4, \"driver\": \"1.2\", " \
    "\"nvrtc\": \"13.0\"},\n"
#define FLAGS   "  \"flags\": {\"fast\": \"" FLAGS_TEXT "\"},\n"
#define SOURCES "  \"sources\": {\"" SOURCE "\": \"made up\"},\n"
#define SESSIONS                                                                            \
    "  \"sessions\": {\"0000000a\": {\"commit\": \"abc\", \"dirty\": \"no\", \"started\": " \
    "\"2014-05-15T12:00:00Z\"},\n"                                                          \
    "    \"0000000b\": {\"commit\": \"abd\", \"dirty\": \"no\", \"started\": "              \
    "\"2014-05-16T12:00:00Z\"}}\n"
#define MANIFEST "{\n  \"format\": 1,\n" ENVIRONMENT FLAGS SOURCES SESSIONS "}\n"
#define TABLE    "flux_fgh0/circular-dam-64x64-f32.tsv"

static inline void assert_fine(enum err e)
{
    if (e)
        fail_msg("%s", err_message());
}

/* A row with status ok: the given median, quartiles 1 % apart, the rest derived. */
static inline struct db_row row_of(int w, int h, double median)
{
    struct db_row row = {.flags = "fast",
                         .source = SOURCE,
                         .block = {w, h},
                         .session = "0000000a",
                         .binary = "ba9876543210",
                         .reason = "-",
                         .method = "cupti"};
    for (int k = 0; k < DB_NUMBERS; k++)
        row.number[k] = (double)NAN;
    const double time[] = {0.98, 0.995, 1, 1.005, 1.1, 1.001};
    for (int k = DB_MIN; k <= DB_MEAN; k++)
        row.number[k] = median * time[k - DB_MIN];
    row.number[DB_KEPT] = 49;
    row.number[DB_DROPPED] = 1;
    row.number[DB_SPREAD] = 0.5;
    row.number[DB_REGISTERS] = 40;
    row.number[DB_MEASURE_COST] = 12.5;
    row.number[DB_SEQUENCE] = w * 1000 + h;
    return row;
}

static inline struct db_row failed_row(int w, int h, enum db_outcome outcome)
{
    struct db_row row = row_of(w, h, 100);
    row.outcome = outcome;
    strcpy(row.reason, "made up for a test");
    strcpy(row.method, "-");
    for (int k = 0; k < DB_NUMBERS; k++)
        row.number[k] = (double)NAN;
    return row;
}

/* made-up-9/<hash>/: a database with one table. Its folder, relative to the scratch folder. */
static char home[PATH_LENGTH];

static inline void build_environment(const char *device, const char *hash, const char *manifest)
{
    char name[PATH_LENGTH];
    snprintf(name, sizeof name, "db/%s", device);
    scratch_folder(name);
    snprintf(home, sizeof home, "db/%s/%s", device, hash);
    scratch_folder(home);
    snprintf(name, sizeof name, "%s/flux_fgh0", home);
    scratch_folder(name);
    snprintf(name, sizeof name, "%s/manifest.json", home);
    scratch_write(name, "w", manifest);
}

static inline const char *inside(const char *name)
{
    static char text[2 * PATH_LENGTH];
    snprintf(text, sizeof text, "%s/%s", home, name);
    return text;
}

static inline void write_rows(const char *name, struct db_row *row, size_t count)
{
    char path[PATH_LENGTH];
    struct db_table t = {row, count};
    scratch_path(path, inside(name));
    assert_fine(db_write(path, &t));
}

static inline void hash_manifest(char hash[DB_HASH + 1])
{
    char path[PATH_LENGTH];
    struct db_manifest m;
    scratch_write("manifest.json", "w", MANIFEST);
    scratch_path(path, "manifest.json");
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
}

static inline int build_database(void **state)
{
    char hash[DB_HASH + 1];
    struct db_row rows[] = {row_of(32, 8, 100), row_of(16, 16, 120),
                            failed_row(64, 32, DB_CONSTRAINT)};
    (void)state;
    strcpy(rows[2].session, "0000000b");
    scratch_create();
    scratch_folder("db");
    hash_manifest(hash);
    build_environment("made-up-9", hash, MANIFEST);
    write_rows(TABLE, rows, 3);
    return 0;
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, build_database, scratch_remove)

/* An empty db/, as the database of runs and commands. */
static inline int use_empty_database(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("db");
    scratch_path(path, "db");
    log_quiet(1);
    return setenv("SHOAL_DB", path, 1);
}

#endif
