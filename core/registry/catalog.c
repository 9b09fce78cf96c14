/* The lists behind `shoal list` and the check of every name that a user types. */
#include "core/registry/catalog.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/registry/registry.h"

const char *const catalog_kinds[LISTS] = {"schemes",  "systems", "variables",
                                          "limiters", "fluxes",  "reconstructions",
                                          "cases",    "kernels", "backends"};

/* By enum backend_kind. */
static const char *const backend_titles[BACKENDS][2] = {
    [CPU] = {"cpu", "C compiler at run time, OpenMP over blocks"},
    [CUDA] = {"cuda", "NVIDIA GPUs, compiled by NVRTC"},
};

static void add_entry(struct catalog *c, const char *name, const char *title)
{
    if (c->count == CATALOG_ENTRIES)
        return;
    c->name[c->count] = name;
    snprintf(c->title[c->count], TITLE_LENGTH, "%s", title);
    c->count++;
}

static void add_plugins(struct catalog *c, const struct plugin *const *list)
{
    for (; *list; list++)
        add_entry(c, (*list)->name, (*list)->title);
}

static void add_kernels(struct catalog *c)
{
    for (const struct kernel *const *table = kernel_tables; *table; table++) {
        for (const struct kernel *k = *table; k->name; k++) {
            char title[TITLE_LENGTH], moves[32] = "";
            if (k->reals)
                snprintf(moves, sizeof moves, ", %d reals a cell", k->reals);
            const int has_stem = k->stem && strcmp(k->stem, k->name) != 0;
            snprintf(title, sizeof title,
                     "kernels/%s%s%s, default block %dx%d cpu, %dx%d cuda%s%s%s", k->file,
                     k->defines && *k->defines ? " with " : "", k->defines ? k->defines : "",
                     k->block[CPU].w, k->block[CPU].h, k->block[CUDA].w, k->block[CUDA].h,
                     has_stem ? ", one of " : "", has_stem ? k->stem : "", moves);
            add_entry(c, k->name, title);
        }
    }
}

/* A name that several systems give to different variables has the titles of all. */
static void add_variable(struct catalog *c, const struct system *s, const struct system_variable *v)
{
    char title[TITLE_LENGTH], both[2 * TITLE_LENGTH];
    int k = 0;
    snprintf(title, sizeof title, "%s, %s", v->title, v->units);
    while (k < c->count && strcmp(c->name[k], v->name) != 0)
        k++;
    if (k == c->count) {
        add_entry(c, v->name, title);
    } else if (!strstr(c->title[k], title)) {
        snprintf(both, sizeof both, "%s; system %s: %s", c->title[k], s->name, title);
        snprintf(c->title[k], TITLE_LENGTH, "%s", both);
    }
}

/* Of all systems, those over a bed first; each name once. */
static void add_variables(struct catalog *c)
{
    for (int over_bed = 1; over_bed >= 0; over_bed--)
        for (const struct system *const *s = systems; *s; s++)
            for (int k = 0; k < (*s)->variables && (*s)->over_bed == over_bed; k++)
                add_variable(c, *s, &(*s)->variable[k]);
}

void catalog_fill(struct catalog *c, enum listed list)
{
    c->count = 0;
    switch (list) {
    case LIST_SCHEMES:
        for (const struct scheme *const *s = schemes; *s; s++)
            add_entry(c, (*s)->name, (*s)->title);
        break;
    case LIST_SYSTEMS:
        for (const struct system *const *s = systems; *s; s++)
            add_entry(c, (*s)->name, (*s)->title);
        break;
    case LIST_VARIABLES:
        add_variables(c);
        break;
    case LIST_LIMITERS:
        add_plugins(c, limiters);
        break;
    case LIST_FLUXES:
        add_plugins(c, fluxes);
        break;
    case LIST_RECONSTRUCTIONS:
        add_plugins(c, reconstructions);
        break;
    case LIST_CASES:
        for (const struct flow_case *const *f = cases; *f; f++)
            add_entry(c, (*f)->name, (*f)->title);
        break;
    case LIST_KERNELS:
        add_kernels(c);
        break;
    case LIST_BACKENDS:
        for (int k = 0; k < BACKENDS; k++)
            add_entry(c, backend_titles[k][0], backend_titles[k][1]);
        break;
    case LISTS:
        break;
    }
}

void catalog_add(struct catalog *c, const char *name)
{
    add_entry(c, name, "");
}

int catalog_has(const struct catalog *c, const char *name)
{
    for (int k = 0; k < c->count; k++) {
        if (strcmp(c->name[k], name) == 0)
            return 1;
    }
    return 0;
}

/* Of a few letters, cpu is the nearest. */
static int means_cuda(const struct catalog *c, const char *typed)
{
    return catalog_has(c, "cuda") &&
           (strcasecmp(typed, "gpu") == 0 || strcasecmp(typed, "nvidia") == 0);
}

enum err catalog_unknown(const struct catalog *c, const char *what, const char *typed,
                         const char *remedy)
{
    char text[4096];
    size_t n = 0;
    const char *near = means_cuda(c, typed) ? "cuda" : nearest_name(typed, c->name, c->count);
    if (!remedy) {
        text[0] = '\0';
        for (int k = 0; k < c->count && n < sizeof text; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k ? ", " : "expected one of ",
                                  c->name[k]);
        remedy = text;
    }
    if (near)
        FAIL(USAGE, "unknown %s '%s': did you mean '%s'? %s", what, typed, near, remedy);
    FAIL(USAGE, "unknown %s '%s': %s", what, typed, remedy);
}

enum err catalog_kernel(const char *name, const struct kernel **kernel)
{
    struct catalog known;
    *kernel = find_kernel(name);
    if (*kernel)
        return ERR_OK;
    catalog_fill(&known, LIST_KERNELS);
    return catalog_unknown(&known, "kernel", name, NULL);
}
