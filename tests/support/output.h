/* A state on a grid, and a folder to write it to; include after cmocka.h. */
#ifndef SHOAL_TEST_OUTPUT_H
#define SHOAL_TEST_OUTPUT_H

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "core/netcdf/netcdf_file.h"
#include "tests/support/scratch.h"

/* Number of files in the folder; deletes them on request. */
static inline int files(int clear)
{
    int n = 0;
    DIR *d = opendir(scratch);
    for (struct dirent *f; d && (f = readdir(d));) {
        if (f->d_name[0] == '.')
            continue;
        n++;
        char path[PATH_LENGTH];
        scratch_path(path, f->d_name);
        if (clear)
            unlink(path);
    }
    if (d)
        closedir(d);
    return n;
}

enum { BED_PAD = 7, PAD = 3 };

/* The variables of its system, which is shallow water. */
extern const struct system system_shallow_water;
enum { OUTPUT_W, OUTPUT_H, OUTPUT_HU, OUTPUT_HV, OUTPUT_ETA, OUTPUT_ALL = (1 << OUTPUT_ETA) - 1 };

/* A state on a grid, in one precision, with padded rows. */
struct output {
    struct ncwrite_info info;
    struct ncwrite_record record;
    void *field[3];
    double *bed;
    char target[PATH_LENGTH];
};

static inline void store(enum precision p, void *field, size_t k, double x)
{
    if (p == F64)
        ((double *)field)[k] = x;
    else
        ((float *)field)[k] = (float)x;
}

static inline double fetch(enum precision p, const void *field, size_t k)
{
    return p == F64 ? ((const double *)field)[k] : (double)((const float *)field)[k];
}

static inline double mean(const struct output *s, size_t i, size_t j)
{
    const size_t pitch = (size_t)s->info.bed_pitch;
    const double *b = s->bed + j * pitch + i;
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

/* A number rounded to the state's precision. */
static inline double rounded(const struct output *s, double x)
{
    return s->info.precision == F64 ? x : (double)(float)x;
}

/* The level of the state in a file, m. */
static inline double level(const struct output *s, size_t i, size_t j)
{
    const double eta = fetch(s->info.precision, s->field[0], j * (size_t)s->record.pitch + i);
    return rounded(s, s->info.datum + (fmax(mean(s, i, j), s->info.still) + eta));
}

/* The depth, m. */
static inline double depth(const struct output *s, size_t i, size_t j)
{
    const double eta = fetch(s->info.precision, s->field[0], j * (size_t)s->record.pitch + i);
    return rounded(s, eta - rounded(s, mean(s, i, j) - fmax(mean(s, i, j), s->info.still)));
}

/* A basin with a rough bed high above zero, so that rounding is visible; the outer cells are
 * dry. Levels are multiples of a power of two, as in a run. */
static inline struct output make_output(const char *name, int nx, int ny, enum precision p,
                                        unsigned variables)
{
    struct output s = {.info = {.grid = {nx, ny, -3.7, 1e3, 0.1, 0.7},
                                .precision = p,
                                .system = &system_shallow_water,
                                .variables = variables,
                                .bed_pitch = nx + BED_PAD,
                                .datum = 300,
                                .still = 0.1875,
                                .deflate = 1},
                       .record = {.t = 0.1, .pitch = nx + PAD}};
    scratch_path(s.target, name);
    size_t pitch = (size_t)s.record.pitch, real = p == F64 ? sizeof(double) : sizeof(float);
    s.bed = calloc((size_t)(ny + 1) * (size_t)s.info.bed_pitch, sizeof *s.bed);
    for (int k = 0; k < 3; k++)
        s.field[k] = calloc((size_t)ny * pitch, real);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            s.bed[j * s.info.bed_pitch + i] = ldexp(
                round(ldexp(sin(0.3 * i) + hypot(i - 0.5 * nx, j - 0.5 * ny) / (nx + ny), 20)),
                -20);
    for (size_t j = 0; j < (size_t)ny; j++) {
        for (size_t i = 0; i < (size_t)nx; i++) {
            const double b = mean(&s, i, j), w = 0.2 + 0.01 * cos((double)(i * j));
            store(p, s.field[0], j * pitch + i, (w > b ? w : b) - fmax(b, s.info.still));
            store(p, s.field[1], j * pitch + i, w > b ? sin((double)i) / 3 : 0);
            store(p, s.field[2], j * pitch + i, w > b ? cos((double)j) / 7 : 0);
        }
    }
    s.info.bed = s.bed;
    s.record.unknown[0] = s.field[0];
    s.record.unknown[1] = s.field[1];
    s.record.unknown[2] = s.field[2];
    return s;
}

static inline void free_output(struct output *s)
{
    for (int k = 0; k < 3; k++)
        free(s->field[k]);
    free(s->bed);
}

#endif
