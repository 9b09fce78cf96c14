/* Terrain in files of the scratch folder, small enough to say what is in each cell, and problems on it; include
 * after cmocka.h. */
#ifndef SHOAL_TEST_TERRAIN_H
#define SHOAL_TEST_TERRAIN_H

#include <math.h>

#include "core/base/log.h"
#include "core/problem/problem.h"
#include "tests/support/scratch.h"
#include "tests/support/settings.h"

enum { TERRAIN_NX = 8, TERRAIN_NY = 6 };

/* The setup of a test: an empty scratch folder, and a silent log. */
static inline int terrain_folder(void **state)
{
    (void)state;
    scratch_create();
    log_quiet(2);
    return 0;
}

/* Writes a grid of values by formula: cells of 10 m, from (0, 0); -9999 means a missing value. */
static inline void terrain_write(const char *name, int nx, int ny, double (*value)(int i, int j))
{
    char text[128];
    snprintf(text, sizeof text, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\n", nx,
             ny);
    scratch_write(name, "w", text);
    for (int j = ny - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++) {
            snprintf(text, sizeof text, "%.9g%c", value(i, j), i == nx - 1 ? '\n' : ' ');
            scratch_write(name, "a", text);
        }
}

static inline double terrain_plane(int i, int j)
{
    return 2 * i + 3 * j;
}

static inline double holed(int i, int j)
{
    return i == 5 && j == 2 ? -9999 : terrain_plane(i, j);
}

static inline double peak_and_pit(int i, int j)
{
    return i == 2 && j == 3 ? 4 : i == 5 && j == 2 ? -4 : 0;
}

static inline double terrain_level(int i, int j)
{
    return j == 0 && i < 4 ? 9 : -1;
}

static inline double terrain_deep(int i, int j)
{
    return i == 1 && j == 1 ? 2.5 : 0;
}

static inline double terrain_rough(int i, int j)
{
    (void)j;
    return 0.01 + 0.01 * i;
}

static inline double constant(int i, int j)
{
    (void)i, (void)j;
    return 0.04;
}

static inline double strickler(int i, int j)
{
    return i == 7 && j == 5 ? 35 : 0.03;
}

static inline double negative(int i, int j)
{
    return i == 2 && j == 3 ? -0.5 : 1;
}

static inline double no_number(int i, int j)
{
    return i == 2 && j == 3 ? -9999 : 1;
}

/* Like level.asc, but three metres farther east. */
static inline void write_shifted(void)
{
    terrain_write("shifted.asc", TERRAIN_NX, TERRAIN_NY, terrain_level);
    char path[PATH_LENGTH];
    scratch_path(path, "shifted.asc");
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)strlen("ncols 8\nnrows 6\nxllcorner "), SEEK_SET), 0);
    assert_int_equal(fputc('3', f), '3');
    assert_int_equal(fclose(f), 0);
}

/* The files that tests share. */
static inline void terrain_write_all(void)
{
    terrain_write("plane.asc", TERRAIN_NX, TERRAIN_NY, terrain_plane);
    terrain_write("holed.asc", TERRAIN_NX, TERRAIN_NY, holed);
    terrain_write("peak.asc", TERRAIN_NX, TERRAIN_NY, peak_and_pit);
    terrain_write("level.asc", TERRAIN_NX, TERRAIN_NY, terrain_level);
    terrain_write("deep.asc", TERRAIN_NX, TERRAIN_NY, terrain_deep);
    terrain_write("rough.asc", TERRAIN_NX, TERRAIN_NY, terrain_rough);
    terrain_write("constant.asc", TERRAIN_NX, TERRAIN_NY, constant);
    terrain_write("strickler.asc", TERRAIN_NX, TERRAIN_NY, strickler);
    terrain_write("negative.asc", TERRAIN_NX, TERRAIN_NY, negative);
    terrain_write("missing.asc", TERRAIN_NX, TERRAIN_NY, no_number);
    terrain_write("wide.asc", TERRAIN_NX + 1, TERRAIN_NY, terrain_plane);
    terrain_write("narrow.asc", TERRAIN_NX - 1, TERRAIN_NY, terrain_plane);
    write_shifted();
    scratch_write("empty.asc", "w",
                  "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n-9999 nan\n");
}

/* Opens a problem by the words of a command, up to NULL; a word with ".asc" is a file of the folder. */
static inline enum err terrain_open(struct problem *p, struct config *c, const char *const *words)
{
    static char text[MOST_ARGUMENTS][PATH_LENGTH];
    const char *argv[MOST_ARGUMENTS + 1] = {NULL};
    for (int k = 0; words[k]; k++) {
        assert_true(k < MOST_ARGUMENTS);
        if (strstr(words[k], ".asc"))
            scratch_path(text[k], words[k]);
        else
            snprintf(text[k], sizeof text[k], "%s", words[k]);
        argv[k] = text[k];
    }
    memset(p, 0, sizeof *p);
    TRY(read_words(c, argv));
    return problem_open(p, c);
}

#define TERRAIN_OPEN(p, c, ...) \
    terrain_open((p), (c), (const char *const[]){__VA_ARGS__, "--t-end", "1", NULL})

/* At a corner. */
static inline double terrain_bed(const struct problem *p, int i, int j)
{
    return p->setup.source.bed(p->setup.source.context, i, j);
}

static inline double terrain_mean_bed(const struct problem *p, int i, int j)
{
    return 0.25 * (terrain_bed(p, i, j) + terrain_bed(p, i + 1, j) + terrain_bed(p, i, j + 1) +
                   terrain_bed(p, i + 1, j + 1));
}

static inline double terrain_depth(const struct problem *p, int i, int j)
{
    return p->setup.source.water(p->setup.source.context, i, j).w - terrain_mean_bed(p, i, j);
}

static inline void terrain_expect(const char *what, int i, int j, double have, double want)
{
    if (!(fabs(have - want) <= 1e-6))
        fail_msg("%s at (%d, %d) is %.12g, not %.12g", what, i, j, have, want);
}

#endif
