/* The content of the gallery: every experiment on every device, in the order of the page, and why
 * some are missing. */
#include <stdlib.h>
#include <string.h>

#include "core/device/backend.h"
#include "experiments/measure/measure.h"
#include "plots/gallery/gallery_parts.h"

/* In this order; others follow, by name. */
static const char *const chapters[] = {"The problem",    "Schemes",       "Kernels", "Tuning",
                                       "The auto-tuner", "The simulator", "Search",  "New"};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

const char *exhibit_setting(const struct exhibit *x, const char *key)
{
    return experiment_value(&x->experiment, experiment_section(&x->experiment, "", 0), key);
}

const struct showing *exhibit_first(const struct exhibit *x)
{
    for (int k = 0; k < x->count; k++)
        if (x->showing[k].open)
            return &x->showing[k];
    return NULL;
}

const char *exhibit_published(const struct exhibit *x, int claim)
{
    for (int k = 0; k < x->count; k++) {
        const struct claims *all = &x->showing[k].figure.claims;
        if (x->showing[k].open && claim < all->count &&
            !facts_unknown_in(all->claim[claim].published))
            return all->claim[claim].published;
    }
    return "";
}

const struct showing *exhibit_on(const struct exhibit *x, const char *device)
{
    for (int k = 0; k < x->count; k++)
        if (x->common || strcmp(x->showing[k].device, device) == 0)
            return &x->showing[k];
    return NULL;
}

static int chapter_rank(const char *chapter)
{
    int k = 0;
    while (k < CHAPTERS && strcmp(chapters[k], chapter) != 0)
        k++;
    return k;
}

/* By chapter, then by the figure it follows ("thesis 3.2" before "thesis 3.10"), then by name. */
static int exhibit_order(const void *a, const void *b)
{
    const struct exhibit *x = a, *y = b;
    const char *of_x = exhibit_setting(x, "chapter"), *of_y = exhibit_setting(y, "chapter");
    int order = chapter_rank(of_x) - chapter_rank(of_y);
    if (order == 0)
        order = strcmp(of_x, of_y);
    if (order == 0) {
        of_x = exhibit_setting(x, "figure");
        of_y = exhibit_setting(y, "figure");
        order = of_x && of_y ? strverscmp(of_x, of_y) : !of_x - !of_y;
    }
    return order ? order : strcmp(x->experiment.name, y->experiment.name);
}

/* The experiment's reason why a device has no rows; NULL if it has none. */
static const char *excuse(const struct exhibit *x, const char *device)
{
    return experiment_variant(&x->experiment, experiment_section(&x->experiment, "", 0), "missing",
                              device);
}

/* Its reason why this device lacks some of them; NULL if it has none. */
static const char *own_excuse(const struct exhibit *x, const char *device)
{
    char key[DB_NAME + sizeof "missing."];
    snprintf(key, sizeof key, "missing.%s", device);
    return experiment_value(&x->experiment, experiment_section(&x->experiment, "", 0), key);
}

static void explain(const struct exhibit *x, struct showing *s)
{
    const char *historical = experiment_historical(&x->experiment),
               *why = historical ? historical : excuse(x, s->device);
    s->partly = own_excuse(x, s->device);
    if (s->figure.tables.present)
        return;
    if (why)
        snprintf(s->missing, sizeof s->missing, "%s", why);
    else if (*s->figure.tables.missing)
        snprintf(s->missing, sizeof s->missing, "%s", s->figure.tables.missing);
    else
        snprintf(s->missing, sizeof s->missing, "not measured%s: shoal measure %s",
                 x->common ? "" : " on this device", x->experiment.name);
}

static enum err open_showing(struct gallery *g, struct exhibit *x, const struct plot_device *d)
{
    struct showing *s = &x->showing[x->count++];
    s->device = d ? d->device : "all";
    const enum err e = figure_open(&s->figure, x->experiment.name, &g->devices, d);
    s->open = e == ERR_OK;
    if (e) {
        snprintf(s->missing, sizeof s->missing, "%s", err_message());
        return gallery_forgive(g, e);
    }
    explain(x, s);
    return ERR_OK;
}

/* A device that the experiment is not meant for has no showing, unless it was measured there. */
static enum err drop_if_not_meant(struct exhibit *x, const struct plot_device *d)
{
    struct showing *s = &x->showing[x->count - 1];
    int meant = 1;
    if (!s->open || s->figure.tables.present)
        return ERR_OK;
    TRY(gallery_meant(&x->experiment, d, &meant));
    if (meant)
        return ERR_OK;
    figure_close(&s->figure);
    *s = (struct showing){.open = 0};
    x->count--;
    return ERR_OK;
}

static enum err open_showings(struct gallery *g, struct exhibit *x)
{
    const struct plot_devices *all = &g->devices;
    if (x->common)
        return open_showing(g, x, NULL);
    for (int k = 0; k < all->count; k += plot_device_environments(all, k)) {
        TRY(open_showing(g, x, &all->at[k]));
        TRY(gallery_forgive(g, drop_if_not_meant(x, &all->at[k])));
    }
    return ERR_OK;
}

static int has_rows(const struct exhibit *x, const char *device)
{
    for (int k = 0; k < x->count; k++) {
        const struct plot_tables *t = &x->showing[k].figure.tables;
        if (!x->common && t->present && strcmp(x->showing[k].device, device) == 0)
            return 1;
        for (int m = 0; x->common && m < t->count; m++)
            if (rowset_has(&t->at[m].answer, "device", device))
                return 1;
    }
    return 0;
}

/* A device that has some of the points, but in no environment all of them, without a reason. */
static enum err check_points(struct gallery *g, const struct exhibit *x,
                             const struct plot_device *d, int environments)
{
    char first[256] = "", one[256];
    int least = -1;
    if (own_excuse(x, d->device) || !has_rows(x, d->device))
        return ERR_OK;
    for (int k = 0; k < environments; k++) {
        int missing;
        TRY(measure_missing(&x->experiment, d->backend, d[k].folder, &missing, one));
        if (least >= 0 && missing >= least)
            continue;
        least = missing;
        strcpy(first, one);
    }
    if (least == 0)
        return ERR_OK;
    return gallery_fault(
        g,
        "%s: %s lacks %d of the points, the first is %s; measure them there with: shoal measure "
        "%s, or give a reason with 'missing.%s = ...' in experiments/%s.ini",
        x->experiment.name, d->device, least, first, x->experiment.name, d->device,
        x->experiment.name);
}

/* No device has its rows, and it gives no reason. With one device only, others are ignored. */
static enum err check_presence(struct gallery *g, const struct exhibit *x)
{
    int unexplained = x->count == 0 && !exhibit_setting(x, "missing");
    for (int k = 0; k < x->count; k++) {
        if (!x->showing[k].open || x->showing[k].figure.tables.present)
            return ERR_OK;
        unexplained += !excuse(x, x->showing[k].device);
    }
    if (!unexplained || *g->device)
        return ERR_OK;
    const char *missing = x->count ? x->showing[0].figure.tables.missing : "";
    return gallery_fault(g,
                         "%s: no device has its rows%s%s, or give a reason with 'missing = ...' in "
                         "experiments/%s.ini",
                         x->experiment.name, *missing ? ": " : "; measure them", missing,
                         x->experiment.name);
}

/* The paper finds a verdict by the claim's id alone. */
static enum err check_ids(struct gallery *g, int which)
{
    const struct showing *s = exhibit_first(&g->exhibit[which]);
    for (int k = 0; s && k < s->figure.claims.count; k++) {
        const char *id = s->figure.claims.claim[k].id;
        for (int m = 0; m <= which; m++) {
            const struct showing *t = exhibit_first(&g->exhibit[m]);
            const int before = !t ? 0 : m < which ? t->figure.claims.count : k;
            for (int i = 0; i < before; i++)
                if (strcmp(t->figure.claims.claim[i].id, id) == 0)
                    TRY(gallery_fault(g, "%s: there is a claim '%s' in %s, too; rename one",
                                      g->exhibit[which].experiment.file.path, id,
                                      g->exhibit[m].experiment.file.path));
        }
    }
    return ERR_OK;
}

/* A rule without a date may have been made to fit. */
static enum err check_rules(struct gallery *g, const struct exhibit *x)
{
    const struct showing *s = exhibit_first(x);
    for (int k = 0; s && k < s->figure.claims.count; k++) {
        const struct claim *c = &s->figure.claims.claim[k];
        const struct section *section = experiment_section(&x->experiment, "claim", k);
        if (*c->fault)
            TRY(gallery_fault(g, "%s:%d: claim '%s': %s", x->experiment.file.path, section->line,
                              c->id, c->fault));
    }
    return ERR_OK;
}

static enum err check_exhibit(struct gallery *g, const struct exhibit *x)
{
    const struct plot_devices *all = &g->devices;
    if (experiment_historical(&x->experiment))
        return ERR_OK;
    TRY(check_presence(g, x));
    if (!experiment_section(&x->experiment, "measure", 0))
        return ERR_OK;
    for (int k = 0, n; k < all->count; k += n) {
        n = plot_device_environments(all, k);
        TRY(gallery_forgive(g, check_points(g, x, &all->at[k], n)));
    }
    return ERR_OK;
}

/* Does one of the [data] sections allow rows of several texts? */
static int says_several(const struct experiment *x)
{
    const struct section *data;
    for (int k = 0; (data = experiment_section(x, "data", k)) != NULL; k++) {
        const char *texts = experiment_value(x, data, "texts");
        if (texts && strcmp(texts, "several") == 0)
            return 1;
    }
    return 0;
}

/* Blocks of two texts cannot be compared, unless that is what the experiment is about. */
static enum err check_texts(struct gallery *g, const struct exhibit *x)
{
    for (int k = 0; k < x->count && !says_several(&x->experiment); k++) {
        const struct showing *s = &x->showing[k];
        if (!s->open || !s->figure.tables.texts.mixed)
            continue;
        TRY(gallery_fault(
            g,
            "%s: rows of %s are from several sources of a kernel (%s): measure all of them with "
            "one, or query spaces instead of kernels, or write 'texts = several' in [data]",
            x->experiment.file.path, s->device, s->figure.tables.texts.names));
    }
    return ERR_OK;
}

enum err gallery_open(struct gallery *g)
{
    struct experiment_list list = {0};
    enum err e = ERR_OK;
    TRY_OUT(experiment_list_read(&list));
    const size_t each = (size_t)g->devices.count + 1;
    g->exhibit = calloc((size_t)list.count + 1, sizeof *g->exhibit);
    g->showing = calloc(((size_t)list.count + 1) * each, sizeof *g->showing);
    if (!g->exhibit || !g->showing) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d experiments", list.count);
        goto out;
    }
    for (int k = 0; k < list.count; k++) {
        struct exhibit *x = &g->exhibit[g->count];
        e = experiment_read(&x->experiment, list.name[k]);
        g->count += e == ERR_OK;
        TRY_OUT(gallery_forgive(g, e));
    }
    qsort(g->exhibit, (size_t)g->count, sizeof *g->exhibit, exhibit_order);
    for (int k = 0; k < g->count; k++) {
        struct exhibit *x = &g->exhibit[k];
        x->showing = &g->showing[(size_t)k * each];
        x->common = figure_is_common(&x->experiment);
        x->table = figure_is_table(&x->experiment);
        TRY_OUT(open_showings(g, x));
        TRY_OUT(check_exhibit(g, x));
        TRY_OUT(check_texts(g, x));
        TRY_OUT(check_ids(g, k));
        TRY_OUT(check_rules(g, x));
    }
out:
    experiment_list_free(&list);
    return e;
}

void gallery_close(struct gallery *g)
{
    for (int k = 0; k < g->count; k++) {
        struct exhibit *x = &g->exhibit[k];
        for (int m = 0; m < x->count; m++)
            if (x->showing[m].open)
                figure_close(&x->showing[m].figure);
        experiment_free(&x->experiment);
    }
    free(g->fault);
    free(g->exhibit);
    free(g->showing);
    plot_devices_free(&g->devices);
}
