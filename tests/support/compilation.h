/* One compilation by NVRTC, and what is wrong with what it makes: warnings, spills, stray double precision. Include after
 * cmocka.h. */
#ifndef SHOAL_TEST_COMPILATION_H
#define SHOAL_TEST_COMPILATION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/nvrtc.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/recipe.h"
#include "core/registry/registry.h"

/* The architecture that is tried always. */
#define VARIANT_ARCH 90

/* One compilation, and what was wrong with it. */
struct job {
    struct recipe recipe;
    int arch;
    int failed;
    char fault[2048];
};

static inline void require_nvrtc(void)
{
    char why[2 * PATH_LENGTH];
    if (!nvrtc_api_open(why, sizeof why)) {
        print_message("skipped: %s\n", why);
        skip();
    }
}

static inline int require_arch(int arch)
{
    if (!nvrtc_supports(arch))
        print_message("skipped: NVRTC %d.%d does not know sm_%d\n", nvrtc_api.major,
                      nvrtc_api.minor, arch);
    return nvrtc_supports(arch);
}

static inline struct recipe default_recipe(const struct kernel *k)
{
    return (struct recipe){.kernel = k,
                           .block = k->block[CUDA],
                           .friction = 1,
                           .limiter = "minmod",
                           .flux = "central_upwind",
                           .reconstruction = "kp"};
}

/* Time, net inflow and what is added behind steps are in double precision on purpose. */
static inline int sums_in_f64(const struct recipe *r)
{
    static const char *const files[] = {"clock.cu",
                                        "clock_ahead.cu",
                                        "net_inflow.cu",
                                        "maxima.cu",
                                        "gauges.cu",
                                        "series.cu",
                                        "rain.cu",
                                        "soil.cu",
                                        "springs.cu",
                                        "sections.cu",
                                        "systems/sediment_edges.cu"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (strcmp(r->kernel->file, files[k]) == 0)
            return 1;
    return 0;
}

static inline int may_use_f64(const struct recipe *r)
{
    return r->precision == F64 || sums_in_f64(r) || r->fills_ghosts; /* time goes on in it */
}

/* Bytes that a thread may keep in local memory: of hancock in f64 with 16 warps, which is faster on an H200 than fewer
 * without; one number of fused0 in tiles with a map, where 20 warps have 96 registers each and the next choice, 16 warps
 * with 128, has a fifth fewer warps; where rows are registers, few with a flux, or on an architecture, for which their number was not chosen. */
static inline int may_spill(const struct job *j)
{
    const struct recipe *r = &j->recipe;
    const int usual = strcmp(r->flux, default_recipe(r->kernel).flux) == 0;
    if (strcmp(r->kernel->file, "hancock.cu") == 0 && r->precision == F64)
        return 256;
    if (strcmp(r->kernel->name, "fused0") == 0 && r->precision == F32 && r->tiled == MAPPED)
        return 8;
    return !r->kernel->threads ? 0 : j->arch != VARIANT_ARCH ? 64 : usual ? 0 : 16;
}

/* The assembler reports each function in these words; a kernel file has one. A division of sums in f64 may have its
 * own stack frame. */
static inline int uses_local_memory(const struct job *j, const char *log)
{
    static const char words[] = " bytes stack frame, ";
    const char *const at = strstr(log, words);
    if (may_spill(j) > 0)
        return !at || strtol(at + sizeof words - 1, NULL, 10) > may_spill(j);
    return !strstr(log, sums_in_f64(&j->recipe)
                            ? " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
                            : " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");
}

static inline void inspect(struct job *j)
{
    char arch[16], what[256];
    struct nvrtc_output out;
    snprintf(arch, sizeof arch, "sm_%d", j->arch);
    recipe_describe(&j->recipe, what, sizeof what);
    const char *fault = NULL, *detail = "";
    if (nvrtc_build(&j->recipe, arch, 1, &out)) {
        fault = "does not compile";
        detail = err_message();
    } else if (strstr(out.log, "warning")) {
        fault = "compiles with a warning";
        detail = out.log;
    } else if (uses_local_memory(j, out.log)) {
        fault = "spills, or the log does not say that it does not";
        detail = out.log;
    } else if (!may_use_f64(&j->recipe) && strstr(out.ptx, ".f64")) {
        fault = "computes in double precision";
        detail = strstr(out.ptx, ".f64");
    }
    j->failed = fault != NULL;
    if (fault)
        snprintf(j->fault, sizeof j->fault, "%s, %s: %s\n%.1500s", what, arch, fault, detail);
    nvrtc_output_free(&out);
}

#endif
