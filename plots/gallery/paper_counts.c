/* Facts of the paper that are about all experiments: counts, devices, the interval. */
#include <string.h>

#include "core/base/version.h"
#include "plots/gallery/paper.h"

int paper_verdicts_on(const struct gallery *g, const char *device, int verdicts[VERDICTS])
{
    int judged = 0;
    memset(verdicts, 0, VERDICTS * sizeof *verdicts);
    for (int k = 0; k < g->count; k++) {
        const struct exhibit *x = &g->exhibit[k];
        const struct showing *s = x->common ? NULL : exhibit_on(x, device);
        for (int c = 0; s && s->open && c < s->figure.claims.count; c++)
            if (s->figure.claims.claim[c].kind == CLAIM_PUBLISHED)
                verdicts[s->figure.claims.claim[c].verdict]++;
    }
    for (int v = 0; v < VERDICT_UNKNOWN; v++)
        judged += verdicts[v];
    return judged;
}

static void put_counts(const struct gallery *g, FILE *f)
{
    const struct {
        const char *name;
        int count;
    } counts[] = {
        {"experiments", g->count},
        {"figures", g->figures},
        {"tables", g->tables},
        {"missing", g->missing},
        {"claims", gallery_verdicts(g)},
        {"holds", g->claims[VERDICT_HOLDS]},
        {"partly", g->claims[VERDICT_PARTLY]},
        {"fails", g->claims[VERDICT_FAILS]},
        {"undecided", g->claims[VERDICT_UNDECIDED]},
        {"unknown", g->claims[VERDICT_UNKNOWN]},
        {"notes", g->claims[VERDICT_NOTE]},
        {"younger", g->younger},
        {"own", g->own},
    };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        paper_fact(f, counts[k].count, "count/all/%s", counts[k].name);
}

/* "two" */
static void put_number_word(FILE *f, int n, const char *name)
{
    static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", n);
    paper_word(f, n >= 0 && n < (int)(sizeof words / sizeof *words) ? words[n] : digits,
               "count/all/%s", name);
}

/* Of each device, and how many devices and kinds of GPU there are. */
static void put_devices(const struct gallery *g, FILE *f)
{
    int devices = 0, gpus = 0;
    for (int k = 0; k < g->devices.count; k++) {
        const struct plot_device *d = &g->devices.at[k];
        int verdicts[VERDICTS];
        if (d->rank != 1)
            continue;
        devices++;
        gpus += d->backend == CUDA && plot_device_count(d) == 1 && !plot_device_divided(d);
        paper_fact(f, paper_verdicts_on(g, d->device, verdicts), "count/%s/verdicts", d->device);
        paper_fact(f, verdicts[VERDICT_UNDECIDED], "count/%s/undecided", d->device);
        paper_fact(f, verdicts[VERDICT_UNKNOWN], "count/%s/unknown", d->device);
    }
    put_number_word(f, devices, "devices");
    put_number_word(f, gpus, "gpus");
    paper_word(f, gpus == 1 ? "kind" : "kinds", "count/all/kinds");
}

void paper_counts(const struct gallery *g, FILE *f)
{
    put_counts(g, f);
    put_devices(g, f);
    paper_fact(f, (double)paper_drawn_bytes(g) / 1e6, "count/all/megabytes");
    /* plots/data/sql_functions.c: with six runs the median is inside with 1 - 2 / 2^6. */
    paper_fact(f, 100 * (1 - 2 / 64.0), "interval/all/percent");
    paper_word(f, shoal_version, "shoal/all/version");
    paper_word(f, shoal_commit, "shoal/all/commit");
}
