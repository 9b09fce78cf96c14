/* An installation in the scratch folder whose experiments a test writes, beside the made-up database;
 * include after cmocka.h. */
#ifndef SHOAL_TEST_FIGURES_H
#define SHOAL_TEST_FIGURES_H

#include "tests/support/database.h"
#include "tests/support/need_gnuplot.h"

/* The real one, found before SHOAL_HOME points elsewhere. */
static char installation[PATH_LENGTH];

static inline int installation_find(void)
{
    const char *found;
    if (paths_home(&found))
        return 1;
    snprintf(installation, sizeof installation, "%s", found);
    return 0;
}

/* With the flags of a run without options: sources take these. */
#define RUN_FLAGS                                                             \
    "  \"flags\": {\"fast\": \"mode=fast limiter=minmod flux=central_upwind " \
    "reconstruction=kp\"},\n"

static inline int build_installation(void **state)
{
    static const char *const parts[] = {"kernels", "plots"};
    char from[PATH_LENGTH + 16], to[PATH_LENGTH];
    build_database(state);
    scratch_write(inside("manifest.json"), "w",
                  "{\n  \"format\": 1,\n" ENVIRONMENT RUN_FLAGS SESSIONS "}\n");
    scratch_folder("experiments");
    scratch_folder("build");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        snprintf(from, sizeof from, "%s/%s", installation, parts[k]);
        scratch_path(to, parts[k]);
        assert_int_equal(symlink(from, to), 0);
    }
    scratch_path(to, "db");
    assert_int_equal(setenv("SHOAL_DB", to, 1), 0);
    return setenv("SHOAL_HOME", scratch, 1);
}

#define WITH_FIGURES(test) cmocka_unit_test_setup_teardown(test, build_installation, scratch_remove)

#define HEAD "title = A title\nchapter = Tuning\n"

static inline void assert_file_has(const char *name, const char *part)
{
    char *text = scratch_read(name, NULL);
    ASSERT_HAS(text, part);
    free(text);
}

static inline void assert_no_file(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    assert_int_not_equal(access(path, F_OK), 0);
}

#endif
