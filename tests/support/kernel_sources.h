/* Sources of figures' data that read kernels' tables, of a made-up database or of the one in git; include
 * after cmocka.h. */
#ifndef SHOAL_TEST_KERNEL_SOURCES_H
#define SHOAL_TEST_KERNEL_SOURCES_H

#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "plots/data/kernel_tables.h"
#include "tests/support/database.h"
#include "tests/support/near.h"

#define PLUGINS     "limiter=minmod flux=central_upwind reconstruction=kp"
#define OTHER_HASH  "ba9876543210"
#define OTHER_FLAGS "\"strict\": \"mode=strict " PLUGINS "\""
#define RUN_MANIFEST                                                                   \
    "{\n  \"format\": 1,\n" ENVIRONMENT "  \"flags\": {\"fast\": \"mode=fast " PLUGINS \
    "\", " OTHER_FLAGS "},\n" SESSIONS "}\n"

/* Environment and [data] section, as whoever draws hands them to a source. */
static struct plot_device device;
static char database[PATH_LENGTH];
static struct setting setting[8];
static struct section section;
static struct experiment experiment;

static inline void use_device(const char *folder, const char *name, const char *environment)
{
    char path[PATH_LENGTH];
    db_manifest_free(&device.manifest);
    snprintf(database, sizeof database, "%s", folder);
    snprintf(device.device, sizeof device.device, "%s", name);
    snprintf(device.environment, sizeof device.environment, "%s", environment);
    snprintf(path, sizeof path, "%s/%s", name, environment);
    assert_fine(db_path(database, path, device.folder));
    assert_fine(db_path(device.folder, "manifest.json", path));
    assert_fine(db_manifest_read(path, &device.manifest));
    device.backend = db_manifest_backend(&device.manifest);
}

/* db/made-up-9/0123456789ab, with the flags of a run without options. */
static inline int build(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_create();
    scratch_folder("db");
    build_environment("made-up-9", SOURCE, RUN_MANIFEST);
    scratch_path(path, "db");
    use_device(path, "made-up-9", SOURCE);
    return 0;
}

static inline int destroy(void **state)
{
    db_manifest_free(&device.manifest);
    return scratch_remove(state);
}

/* Reads a source by keys and values. */
static inline enum err read_source(source_read *source, struct plot_table *t,
                                   const char *const *words)
{
    const struct source_request r = {&experiment, &section, &device, "", database};
    section = (struct section){.name = "data", .line = 1};
    for (; words[0]; words += 2) {
        const int k = section.count++;
        setting[k] = (struct setting){words[0], words[1], k + 2};
    }
    experiment.file = (struct ini){.path = "made-up.ini",
                                   .setting = setting,
                                   .section = &section,
                                   .settings = section.count,
                                   .sections = 1};
    *t = (struct plot_table){0};
    return source(&r, t);
}

#define READ(source, t, ...) read_source(source, t, (const char *const[]){__VA_ARGS__, NULL})
#define READ_ALL(source, t)  read_source(source, t, (const char *const[]){NULL})

static inline const char *text_at(const struct plot_table *t, size_t row, const char *column)
{
    const int c = frame_column(&t->frame, column);
    if (c < 0 || row >= t->frame.rows)
        fail_msg("no column %s, or no row %zu", column, row);
    return frame_at(&t->frame, row, c);
}

static inline double cell(const struct plot_table *t, size_t row, const char *column)
{
    text_at(t, row, column);
    return frame_number(&t->frame, row, frame_column(&t->frame, column));
}

/* The first row of a block; fails where there is none. */
static inline size_t row_at(const struct plot_table *t, int w, int h)
{
    for (size_t k = 0; k < t->frame.rows; k++)
        if ((int)cell(t, k, "width") == w && (int)cell(t, k, "height") == h)
            return k;
    fail_msg("no row of %dx%d", w, h);
    return 0;
}

static inline double sum(const struct plot_table *t, const char *column)
{
    double total = 0;
    for (size_t k = 0; k < t->frame.rows; k++)
        total += cell(t, k, column);
    return total;
}

/* The text that flux_fgh0 has now. */
static inline void hash_now(char hash[RECIPE_HASH + 1])
{
    const struct recipe r = {.kernel = find_kernel("flux_fgh0"),
                             .block = {32, 8},
                             .mode = FAST_MODE,
                             .switches = "",
                             .limiter = "minmod",
                             .flux = "central_upwind",
                             .reconstruction = "kp"};
    assert_fine(recipe_text_hash(&r, hash));
}

#define BUILT(test) cmocka_unit_test_setup_teardown(test, build, destroy)

#endif
