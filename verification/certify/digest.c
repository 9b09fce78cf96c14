/* Digests of bed, state and the C library's functions. */
#include "verification/certify/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/base/sha256.h"

static void finish(struct sha256 *sum, char digest[DIGEST + 1])
{
    char hex[SHA256_DIGITS + 1];
    sha256_final(sum, hex);
    memcpy(digest, hex, DIGEST);
    digest[DIGEST] = '\0';
}

/* Room for the corners, or the cells, as doubles. */
static enum err allocate(const struct sim *s, void **room)
{
    *room = malloc(((size_t)s->grid.nx + 1) * ((size_t)s->grid.ny + 1) * sizeof(double));
    if (!*room)
        FAIL(MEMORY, "no memory for the digest of %d x %d cells", s->grid.nx, s->grid.ny);
    return ERR_OK;
}

static enum err add_state(struct sim *s, void *room, struct sha256 *sum)
{
    const size_t bytes = (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size;
    for (int k = 0; k < s->system->unknowns; k++) {
        TRY(sim_read(s, sim_unknown(s, k), NULL, room));
        sha256_update(sum, room, bytes);
    }
    return ERR_OK;
}

/* In the run's precision: further digits of a double never reach a run. */
static void add_number(const struct sim *s, double x, struct sha256 *sum)
{
    const float single = (float)x;
    if (s->real_size == sizeof single)
        sha256_update(sum, &single, sizeof single);
    else
        sha256_update(sum, &x, sizeof x);
}

/* Coefficients of the cells. */
static enum err add_given(struct sim *s, void *room, struct sha256 *sum)
{
    const size_t bytes = (size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size;
    for (int k = 0; k < s->system->givens; k++) {
        TRY(sim_read(s, s->given[k], NULL, room));
        sha256_update(sum, room, bytes);
    }
    return ERR_OK;
}

static void add_force(const struct sim *s, const struct source *from, struct sha256 *sum)
{
    for (int j = 0; from->force && j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++) {
            const struct forcing f = from->force(from->context, i, j);
            for (int k = 0; k < 3; k++) /* forcing */
                add_number(s, f.of[k], sum);
        }
}

enum err digest_state(struct sim *s, char digest[DIGEST + 1])
{
    struct sha256 sum;
    void *room;
    TRY(allocate(s, &room));
    sha256_init(&sum);
    const enum err e = add_state(s, room, &sum);
    finish(&sum, digest);
    free(room);
    return e;
}

enum err digest_start(struct sim *s, const struct source *source, char digest[DIGEST + 1])
{
    struct sha256 sum;
    void *room;
    TRY(allocate(s, &room));
    sha256_init(&sum);
    sim_bed(s, NULL, room);
    sha256_update(&sum, room, ((size_t)s->grid.nx + 1) * ((size_t)s->grid.ny + 1) * sizeof(double));
    enum err e = add_state(s, room, &sum);
    if (!e)
        e = add_given(s, room, &sum);
    add_force(s, source, &sum);
    add_number(s, s->initial->kappa, &sum);
    add_number(s, s->initial->dry, &sum);
    finish(&sum, digest);
    free(room);
    return e;
}

/* Compilers make one call of a sine and a cosine of the same angle. */
static double both(double x)
{
    double s, c;
    sincos(x, &s, &c);
    return s - 2 * c;
}

static double angle(double x)
{
    return atan2(x, 1.7);
}

/* The functions that cases and their references call; square roots are the same everywhere. */
void digest_functions(char digest[DIGEST + 1])
{
    enum { PROBES = 4096 };
    static const struct {
        double (*of)(double), from, to;
    } functions[] = {{sin, -40, 40}, {cos, -40, 40}, {tan, -40, 40},  {exp, -40, 10}, {tanh, -8, 8},
                     {atan, -8, 8},  {cbrt, 0, 400}, {both, -40, 40}, {angle, -8, 8}};
    struct sha256 sum;
    sha256_init(&sum);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        for (int n = 0; n < PROBES; n++) {
            const double x =
                functions[k].from + (functions[k].to - functions[k].from) * (n + 0.37) / PROBES;
            const double y = functions[k].of(x);
            sha256_update(&sum, &y, sizeof y);
        }
    finish(&sum, digest);
}
