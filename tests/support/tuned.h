/* A tuning database of made-up devices, and of this one; include after cmocka.h. */
#ifndef SHOAL_TEST_TUNED_H
#define SHOAL_TEST_TUNED_H

#include "core/compile/recipe.h"
#include "core/registry/registry.h"
#include "tests/support/database.h"

enum { KERNELS = 4 };

static const char *const exits[KERNELS] = {"flux_fgh0_ee", "flux_fgh1_ee", "rk0_ee", "rk1_ee"};

static inline struct recipe recipe_of(const char *kernel)
{
    const struct kernel *k = find_kernel(kernel);
    assert_non_null(k);
    return (struct recipe){.kernel = k,
                           .block = k->block[CPU],
                           .precision = F32,
                           .mode = FAST_MODE,
                           .on_cpu = 1,
                           .switches = "",
                           .limiter = "minmod",
                           .flux = "central_upwind",
                           .reconstruction = "kp"};
}

/* An environment of a device: its folder becomes `home`. `number` distinguishes several. */
static inline void add_environment(const char *device, const char *capability, int number)
{
    char lines[1024], text[4096], plain[RECIPE_FLAGS], plugins[RECIPE_FLAGS], hash[DB_HASH + 1];
    char folder[DB_NAME + 1];
    struct db_manifest m;
    struct recipe flux = recipe_of("flux_fgh0"), rk = recipe_of("rk0");
    assert_fine(recipe_flags(&flux, plugins));
    assert_fine(recipe_flags(&rk, plain));
    snprintf(lines, sizeof lines,
             "\"backend\": \"cuda\", \"device\": \"%s\", \"compute_capability\": \"%s\", "
             "\"sm_count\": %d, \"driver\": \"1\", \"nvrtc\": \"1\"",
             device, capability, number);
    snprintf(
        text, sizeof text,
        "{\"format\": 1, \"environment\": {%s}, \"flags\": {\"flux\": \"%s\", \"rk\": \"%s\", "
        "\"strict\": \"mode=strict\", \"stepped\": \"mode=fast limiter=minmod flux=central_upwind "
        "reconstruction=audusse friction=0\"},\n%s}\n",
        lines, plugins, plain, SESSIONS);
    scratch_write("manifest.json", "w", text);
    char path[PATH_LENGTH];
    scratch_path(path, "manifest.json");
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
    db_device_folder(device, folder);
    snprintf(home, sizeof home, "db/%s", folder);
    scratch_path(path, home);
    mkdir(path, 0700);
    snprintf(home, sizeof home, "db/%s/%s", folder, hash);
    scratch_folder(home);
    scratch_write(inside("manifest.json"), "w", text);
}

/* A row with the values of the kernel's recipe. */
static inline struct db_row tuned_row(const char *kernel, int w, int h, double median)
{
    struct recipe r = recipe_of(kernel);
    struct db_row row = row_of(w, h, median);
    snprintf(row.flags, sizeof row.flags, "%s", r.kernel->plugins ? "flux" : "rk");
    struct text_digests digests;
    assert_fine(recipe_digests(&r, &digests));
    snprintf(row.source, sizeof row.source, "%.*s", DB_HASH, digests.text);
    strcpy(row.method, "clock");
    return row;
}

static inline void add_table(const char *kernel, int nx, struct db_row *rows, size_t count)
{
    char name[256], path[PATH_LENGTH];
    scratch_path(path, inside(kernel));
    mkdir(path, 0700);
    snprintf(name, sizeof name, "%s/circular-dam-%dx%d-f32.tsv", kernel, nx, nx);
    write_rows(name, rows, count);
}

static inline void add_winner(const char *kernel, int nx, int w, int h)
{
    struct db_row rows[] = {tuned_row(kernel, w, h, 100), tuned_row(kernel, 16, 16, 120)};
    add_table(kernel, nx, rows, 2);
}

#define WITH_DATABASE(test) \
    cmocka_unit_test_setup_teardown(test, use_empty_database, scratch_remove)

#endif
