/* A state on a grid to be written, and the folder it is written to; include after cmocka.h. */
#ifndef SHOAL_TEST_OUTPUT_H
#define SHOAL_TEST_OUTPUT_H

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "core/ncfile.h"
#include "tests/support/scratch.h"

static inline int make_folder(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

/* Number of files in the folder; deletes them if asked. */
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

/* A state on a grid, in one precision, with padded rows. */
struct output {
    struct ncwrite_info info;
    struct ncwrite_record record;
    void *field[3], *bed;
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
    size_t pitch = (size_t)s->info.bed_pitch, k = j * pitch + i;
    if (s->info.precision == F64) {
        const double *b = s->bed;
        return 0.25 * ((b[k] + b[k + pitch + 1]) + (b[k + 1] + b[k + pitch]));
    }
    const float *b = s->bed;
    return (double)(0.25f * ((b[k] + b[k + pitch + 1]) + (b[k + 1] + b[k + pitch])));
}

/* A basin with a rough bed high above zero, so that rounding shows; the outer cells are dry. */
static inline struct output make_output(const char *name, int nx, int ny, enum precision p,
                                        unsigned variables)
{
    struct output s = {.info = {.grid = {nx, ny, -3.7, 1e3, 0.1, 0.7},
                                .precision = p,
                                .variables = variables,
                                .bed_pitch = nx + BED_PAD,
                                .deflate = 1},
                       .record = {.t = 0.1, .pitch = nx + PAD}};
    scratch_path(s.target, name);
    size_t pitch = (size_t)s.record.pitch, real = p == F64 ? sizeof(double) : sizeof(float);
    s.bed = calloc((size_t)(ny + 1) * (size_t)s.info.bed_pitch, real);
    for (int k = 0; k < 3; k++)
        s.field[k] = calloc((size_t)ny * pitch, real);
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            store(p, s.bed, (size_t)j * (size_t)s.info.bed_pitch + (size_t)i,
                  300 + sin(0.3 * i) + hypot(i - 0.5 * nx, j - 0.5 * ny) / (nx + ny));
    for (size_t j = 0; j < (size_t)ny; j++) {
        for (size_t i = 0; i < (size_t)nx; i++) {
            double b = mean(&s, i, j), w = 300.2 + 0.01 * cos((double)(i * j));
            store(p, s.field[0], j * pitch + i, w > b ? w : b);
            store(p, s.field[1], j * pitch + i, w > b ? sin((double)i) / 3 : 0);
            store(p, s.field[2], j * pitch + i, w > b ? cos((double)j) / 7 : 0);
        }
    }
    s.info.bed = s.bed;
    s.record.w = s.field[0];
    s.record.hu = s.field[1];
    s.record.hv = s.field[2];
    return s;
}

static inline void free_output(struct output *s)
{
    for (int k = 0; k < 3; k++)
        free(s->field[k]);
    free(s->bed);
}

#endif
