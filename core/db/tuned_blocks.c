/* Asks the tuning database for the blocks of a run's kernels. */
#include "core/db/tuned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 32 };

void tuned_describe(const struct block_origin *o, char *text, size_t n)
{
    if (o->from != BLOCK_TUNED) {
        snprintf(text, n, "%s", o->from == BLOCK_CHOSEN ? "chosen by --block" : "default");
        return;
    }
    const int same_device = o->match != DB_SAME_CAPABILITY;
    snprintf(text, n, "tuned on %s at %dx%d%s%s%s%s", same_device ? "this device" : o->device,
             o->nx, o->ny, same_device ? "" : ", of the same compute capability",
             o->match == DB_OTHER_SIZE ? ", the nearest size" : "",
             o->other_flags ? ", with other flags" : "",
             o->other_source && !o->other_flags ? ", before its text was changed" : "");
}

static void take_block(const struct tuned_kernel *k, const struct db_found *found)
{
    if (found->match == DB_NO_MATCH)
        return;
    k->recipe->block = found->row.block;
    *k->origin = (struct block_origin){.from = BLOCK_TUNED,
                                       .match = found->match,
                                       .nx = found->place.nx,
                                       .ny = found->place.ny,
                                       .other_flags = found->other_flags,
                                       .other_source = found->other_source};
    memcpy(k->origin->device, found->place.device, sizeof found->place.device);
}

/* What a row must have to match the run's kernel: equal for all kernels compiled from a text. */
struct identity {
    const char *file;
    int plugins;
    char flags[RECIPE_FLAGS];
    struct text_digests digests;
};

struct lookup {
    const struct tuned_for *run;
    struct db_view *view;
    struct identity known[MOST];
    int count;
};

static enum err identify(struct lookup *l, const struct recipe *r, const struct identity **found)
{
    int k = 0;
    while (k < l->count && (strcmp(l->known[k].file, r->kernel->file) != 0 ||
                            l->known[k].plugins != r->kernel->plugins))
        k++;
    struct identity *i = &l->known[k];
    if (k == l->count) {
        TRY(recipe_flags(r, i->flags));
        TRY(recipe_digests(r, &i->digests));
        i->file = r->kernel->file;
        i->plugins = r->kernel->plugins;
        l->count++;
    }
    *found = i;
    return ERR_OK;
}

/* On a GPU a warp computes a block of a kernel in the row language. */
static int is_a_warp(const struct kernel *k)
{
    return k->threads == 32;
}

/* One block for all of them. */
static enum err look_up(struct lookup *l, const struct tuned_kernel *kernels, int count)
{
    struct db_query q[MOST] = {{0}};
    const struct identity *i;
    struct db_found *found = calloc((size_t)count, sizeof *found);
    enum err e = ERR_OK;
    if (!found)
        FAIL(MEMORY, "no memory to look into the tuning database");
    for (int k = 0; k < count; k++) {
        const struct recipe *r = kernels[k].recipe;
        TRY_OUT(identify(l, r, &i));
        q[k] = (struct db_query){.kernel = r->kernel->name,
                                 .flags = i->flags,
                                 .other_flags = 1,
                                 .source = i->digests.text,
                                 .code = i->digests.code,
                                 .precision = r->precision,
                                 .nx = l->run->nx,
                                 .ny = l->run->ny,
                                 .warps = is_a_warp(r->kernel) ? l->run->device->warps : 0,
                                 .units = l->run->device->units};
    }
    TRY_OUT(db_view_find(l->view, q, count, found));
    for (int k = 0; k < count; k++)
        take_block(&kernels[k], &found[k]);
out:
    free(found);
    return e;
}

static enum err look_up_all(struct lookup *l, const struct tuned_kernel *kernels, int count)
{
    struct tuned_kernel listed[MOST];
    int lists = 0;
    for (int k = 0; k < count; k++) {
        if (kernels[k].recipe->kernel->listed)
            listed[lists++] = kernels[k];
        else
            TRY(look_up(l, &kernels[k], 1));
    }
    return lists ? look_up(l, listed, lists) : ERR_OK;
}

/* "sm_90" as the database has it: "9.0"; "" on a CPU. */
static void capability(const struct device_info *d, char text[16])
{
    const long number = strncmp(d->target, "sm_", 3) == 0 ? strtol(d->target + 3, NULL, 10) : 0;
    text[0] = '\0';
    if (number > 0)
        snprintf(text, 16, "%ld.%ld", number / 10, number % 10);
}

enum err tuned_view(const struct tuned_for *run, struct db_view **v)
{
    char folder[PATH_LENGTH], compute[16];
    *v = NULL;
    TRY(paths_database(folder));
    capability(run->device, compute);
    const int threads = *compute ? 0 : run->threads ? run->threads : run->device->units;
    return access(folder, F_OK) == 0 ? db_view_open(v, folder, run->device->name, compute, threads)
                                     : ERR_OK;
}

enum err tuned_blocks(const struct tuned_for *run, const struct tuned_kernel *kernels, int count)
{
    struct lookup l = {.run = run};
    if (count > MOST)
        FAIL(KERNEL, "more than %d kernels in one run", MOST);
    TRY(tuned_view(run, &l.view));
    const enum err e = l.view ? look_up_all(&l, kernels, count) : ERR_OK;
    db_view_close(l.view);
    return e;
}
