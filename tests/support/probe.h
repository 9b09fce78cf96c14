/* An installation with one small kernel, and how to run it; include after cmocka.h. */
#ifndef SHOAL_TEST_PROBE_H
#define SHOAL_TEST_PROBE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"
#include "core/device/backend.h"
#include "core/compile/recipe.h"
#include "tests/support/scratch.h"

enum { NX = 37, NY = 11, BLOCK_W = 8, BLOCK_H = 4 };

/* The kernel: `to` becomes twice `from`. */
struct probe_args {
    int nx, ny;
    const void *from;
    void *to;
};

static const struct kernel probe = {
    .name = "probe", .stem = "probe", .file = "probe.cu", .defines = ""};

#define PROBE(body)                                                          \
    "#include \"tile.h\"\n"                                                  \
    "NO_TILES;\n"                                                            \
    "struct probe_args { struct span span; const real *from; real *to; };\n" \
    "KERNEL(probe, struct probe_args)\n"                                     \
    "{\n"                                                                    \
    "    (void)t;\n" body "\n"                                               \
    "}\n"
#define DOUBLING(factor)                                      \
    "    FOR_TILE(i, j, 0, 0) {\n"                            \
    "        long k = (long)(Y0 + j) * a.span.nx + X0 + i;\n" \
    "        a.to[k] = " factor " * a.from[k];\n"             \
    "    }"

static inline struct recipe recipe_of(enum precision p, int order)
{
    return (struct recipe){
        .kernel = &probe, .block = {BLOCK_W, BLOCK_H}, .precision = p, .order = order};
}

static inline void expect_error(enum err wanted, enum err e, const char *part)
{
    if (e != wanted)
        fail_msg("error %d, not %d: %s", e, wanted, e ? err_message() : "none");
    if (!strstr(err_message(), part))
        fail_msg("'%s' is not in the message '%s'", part, err_message());
}

static inline struct device *opened(const struct backend *b, const char *march, int order)
{
    struct device *d = NULL;
    struct device_options o = {.threads = 2, .march = march, .order = order};
    fine(b->open(&d, &o));
    return d;
}

/* An installation with nothing but the kernel language and the probe; its cache is empty. */
static inline int make_home(void **state)
{
    (void)state;
    static char home[PATH_LENGTH]; /* with which the program was started */
    const char *found;
    char command[2 * PATH_LENGTH + 64];
    if (!*home) {
        if (paths_home(&found))
            return -1;
        snprintf(home, sizeof home, "%s", found);
    }
    unsetenv("SHOAL_CC");
    unsetenv("SHOAL_CACHE");
    scratch_create();
    scratch_folder("kernels");
    snprintf(command, sizeof command,
             "cd '%s/kernels' && cp tile.h real.h branchless.h '%s/kernels/'", home, scratch);
    scratch_write("kernels/probe.cu", "w", PROBE(DOUBLING("REAL(2)")));
    if (system(command) != 0)
        return -1;
    return setenv("SHOAL_HOME", scratch, 1);
}

/* Compiles, loads and launches the probe; expects every number doubled. */
static inline enum err run_probe(const struct backend *b, struct device *d, const struct recipe *r)
{
    enum { N = NX * NY };
    enum err e = ERR_OK;
    char path[PATH_LENGTH];
    struct loaded *k = NULL;
    void *from = NULL, *to = NULL;
    double in[N], out[N];
    size_t bytes = N * (r->precision == F64 ? sizeof(double) : sizeof(float));
    for (int n = 0; n < N; n++) {
        double x = n + 0.25;
        float f = (float)x;
        memcpy((char *)in + (size_t)n * bytes / N, r->precision == F64 ? (void *)&x : &f,
               bytes / N);
    }
    TRY_OUT(b->compile(d, r, path));
    TRY_OUT(b->load(d, r, path, &k));
    TRY_OUT(b->alloc(d, bytes, &from));
    TRY_OUT(b->alloc(d, bytes, &to));
    TRY_OUT(b->upload(d, from, in, bytes));
    struct probe_args a = {NX, NY, from, to};
    TRY_OUT(
        b->launch(d, k, (NX + BLOCK_W - 1) / BLOCK_W, (NY + BLOCK_H - 1) / BLOCK_H, &a, sizeof a));
    TRY_OUT(b->download(d, out, to, bytes));
    for (int n = 0; n < N && !e; n++) {
        float f = 0;
        memcpy(&f, (char *)out + (size_t)n * sizeof f, sizeof f);
        double got = r->precision == F64 ? out[n] : (double)f;
        if (!(got - 2 * (n + 0.25) == 0))
            e = err_set(ERR_CHECK, __FILE__, __LINE__, "number %d is %g, not %g", n, got,
                        2 * (n + 0.25));
    }
out:
    b->release(d, from);
    b->release(d, to);
    b->unload(d, k);
    return e;
}

#endif
