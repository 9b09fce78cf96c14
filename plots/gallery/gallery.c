/* Draws the gallery, and reports why it is incomplete. */
#include "plots/gallery/gallery.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/output_file.h"
#include "plots/figures/script.h"
#include "plots/gallery/gallery_parts.h"
#include "plots/gallery/paper.h"

enum { FAULTS_SHOWN = 5 };

enum err gallery_forgive(struct gallery *g, enum err e)
{
    if (e == ERR_INPUT || e == ERR_USAGE || e == ERR_CHECK)
        return gallery_fault(g, "%s", err_message());
    return e;
}

/* An experiment's file has the same fault on each device: report it once. */
static enum err add_fault(struct gallery *g, const struct gallery_fault *fault)
{
    if (g->faults && strcmp(g->fault[g->faults - 1].text, fault->text) == 0)
        return ERR_OK;
    struct gallery_fault *more = realloc(g->fault, (size_t)(g->faults + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for what is wrong: %s", fault->text);
    g->fault = more;
    more[g->faults++] = *fault;
    return ERR_OK;
}

enum err gallery_fault(struct gallery *g, const char *fmt, ...)
{
    struct gallery_fault fault;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(fault.text, sizeof fault.text, fmt, ap);
    va_end(ap);
    return add_fault(g, &fault);
}

struct checking {
    struct gallery *g;
    int count;
    enum err e;
};

static void database_fault(void *context, const char *path, int line, const char *fault)
{
    struct checking *c = context;
    if (c->e || c->count++ >= FAULTS_SHOWN)
        return;
    if (line > 0)
        c->e = gallery_fault(c->g, "%s:%d: %s", path, line, fault);
    else
        c->e = gallery_fault(c->g, "%s: %s", path, fault);
}

static enum err check_database(struct gallery *g)
{
    char folder[PATH_LENGTH];
    struct db_checked sum;
    struct checking c = {.g = g};
    TRY(paths_database(folder));
    TRY(db_check(folder, database_fault, &c, &sum));
    TRY(c.e);
    if (c.count > FAULTS_SHOWN)
        TRY(gallery_fault(g, "the database has %d more faults: shoal db check lists them all",
                          c.count - FAULTS_SHOWN));
    return ERR_OK;
}

static enum err make_folders(const struct gallery *g)
{
    static const char *const inside[] = {"", "/data", "/paper"};
    char path[PATH_LENGTH];
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        if (snprintf(path, sizeof path, "%s%s", g->folder, inside[k]) >= PATH_LENGTH - 300)
            FAIL(USAGE, "'%s' is too long a name for a folder", g->folder);
        TRY(paths_folder(path, "choose another for the figures"));
    }
    return ERR_OK;
}

static void picture_path(const struct gallery *g, const struct showing *s, const char *ending,
                         char path[PATH_LENGTH])
{
    snprintf(path, PATH_LENGTH, "%.*s/%.*s.%s", PATH_LENGTH - 300, g->folder, 256, s->figure.stem,
             ending);
}

/* Figures of an earlier run would be mistaken for this one's. */
static void delete_earlier(const struct gallery *g, const struct showing *s)
{
    static const char *const endings[] = {"svg", "pdf", "png", "txt"};
    char path[PATH_LENGTH];
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        picture_path(g, s, endings[k], path);
        unlink(path);
    }
}

static enum err find_picture(struct gallery *g, struct showing *s)
{
    char path[PATH_LENGTH];
    picture_path(g, s, "svg", path);
    s->drawn = access(path, R_OK) == 0;
    if (s->drawn)
        return ERR_OK;
    return gallery_fault(g, "%s was not drawn; shoal plot %s says why", s->figure.stem,
                         s->figure.experiment.name);
}

/* Draws the pictures in these formats. */
static enum err draw_some(struct gallery *g, int readme, int formats)
{
    int room = 0, count = 0;
    for (int k = 0; k < g->count; k++)
        room += g->exhibit[k].count;
    struct figure **list = calloc((size_t)room + 1, sizeof(struct figure *));
    if (!list)
        FAIL(MEMORY, "no memory for %d figures", room);
    for (int k = 0; k < g->count; k++) {
        struct exhibit *x = &g->exhibit[k];
        const char *wanted = exhibit_setting(x, "readme");
        for (int m = 0; m < x->count; m++)
            if (!*x->showing[m].missing && !x->table &&
                (wanted && strcmp(wanted, "yes") == 0) == readme)
                list[count++] = &x->showing[m].figure;
    }
    const enum err e = count ? figures_draw(list, count, g->folder, formats) : ERR_OK;
    free(list);
    return gallery_forgive(g, e);
}

struct table_file {
    const struct figure *figure;
    enum table_form form;
    enum err *e;
};

static void print_table(FILE *f, const void *context)
{
    const struct table_file *t = context;
    *t->e = table_print(t->figure, t->form, f);
}

static void print_data(FILE *f, const void *context)
{
    const struct table_file *t = context;
    const struct plot_table *rows;
    *t->e = draw_table(t->figure, &rows);
    if (!*t->e)
        rowset_write(&rows->answer, f);
}

static enum err write_table(struct gallery *g, struct showing *s)
{
    char path[PATH_LENGTH];
    enum err e = ERR_OK;
    struct table_file t = {&s->figure, TABLE_TEXT, &e};
    picture_path(g, s, "txt", path);
    TRY(outfile_print(path, print_table, &t));
    if (e)
        unlink(path);
    TRY(e);
    t.form = TABLE_TEX;
    snprintf(path, sizeof path, "%.*s/paper/%.*s.tex", PATH_LENGTH - 300, g->folder, 256,
             s->figure.stem);
    TRY(outfile_print(path, print_table, &t));
    TRY(e);
    snprintf(path, sizeof path, "%.*s/data/%.*s.tsv", PATH_LENGTH - 300, g->folder, 256,
             s->figure.stem);
    TRY(outfile_print(path, print_data, &t));
    TRY(e);
    s->drawn = 1;
    return ERR_OK;
}

static enum err draw(struct gallery *g)
{
    for (int k = 0; k < g->count; k++)
        for (int m = 0; m < g->exhibit[k].count; m++)
            if (g->exhibit[k].showing[m].open)
                delete_earlier(g, &g->exhibit[k].showing[m]);
    TRY(draw_some(g, 0, FIGURE_SVG | FIGURE_PDF));
    TRY(draw_some(g, 1, FIGURE_SVG | FIGURE_PDF | FIGURE_PNG));
    for (int k = 0; k < g->count; k++) {
        struct exhibit *x = &g->exhibit[k];
        for (int m = 0; m < x->count; m++) {
            if (*x->showing[m].missing)
                continue;
            if (x->table)
                TRY(gallery_forgive(g, write_table(g, &x->showing[m])));
            else
                TRY(find_picture(g, &x->showing[m]));
        }
    }
    return ERR_OK;
}

static void count_claim(struct gallery *g, const struct claim *c)
{
    if (c->kind == CLAIM_OWN) {
        g->own += c->verdict != VERDICT_UNKNOWN;
        return;
    }
    /* A note has no verdict that could be missing. */
    g->claims[c->verdict] += c->kind != CLAIM_NOTE || c->verdict == VERDICT_NOTE;
    g->younger += c->younger;
}

static void count(struct gallery *g)
{
    for (int k = 0; k < g->count; k++) {
        const struct exhibit *x = &g->exhibit[k];
        for (int m = 0; m < x->count; m++) {
            const struct showing *s = &x->showing[m];
            g->figures += s->drawn && !x->table;
            g->tables += s->drawn && x->table;
            g->missing += !s->drawn;
            g->stale += s->drawn && s->figure.tables.texts.stale;
            for (int c = 0; s->open && c < s->figure.claims.count; c++)
                count_claim(g, &s->figure.claims.claim[c]);
        }
    }
}

static void print_counts(const struct gallery *g)
{
    printf("figures: drawn=%d tables=%d missing=%d claims=%d holds=%d partly=%d fails=%d "
           "unknown=%d stale=%d undecided=%d younger=%d notes=%d own=%d\n",
           g->figures, g->tables, g->missing, gallery_verdicts(g), g->claims[VERDICT_HOLDS],
           g->claims[VERDICT_PARTLY], g->claims[VERDICT_FAILS], g->claims[VERDICT_UNKNOWN],
           g->stale, g->claims[VERDICT_UNDECIDED], g->younger, g->claims[VERDICT_NOTE], g->own);
}

int gallery_verdicts(const struct gallery *g)
{
    int verdicts = 0;
    for (int k = 0; k < VERDICT_NOTE; k++)
        verdicts += k == VERDICT_UNKNOWN ? 0 : g->claims[k];
    return verdicts;
}

static enum err judge(const struct gallery *g)
{
    print_counts(g);
    for (int k = 0; k < g->faults; k++)
        log_warning("%s", g->fault[k].text);
    if (g->faults)
        FAIL(CHECK, "the gallery has %d fault%s, listed above; the rest is in %s", g->faults,
             g->faults == 1 ? "" : "s", g->folder);
    return ERR_OK;
}

enum err gallery_write(const char *folder, const char *device)
{
    struct gallery g = {.folder = folder, .device = device};
    enum err e = ERR_OK;
    TRY_OUT(plot_devices_read(&g.devices, device));
    TRY_OUT(make_folders(&g));
    TRY_OUT(check_database(&g));
    TRY_OUT(gallery_open(&g));
    TRY_OUT(draw(&g));
    count(&g);
    TRY_OUT(paper_write(&g));
    TRY_OUT(gallery_page(&g));
    e = judge(&g);
out:
    gallery_close(&g);
    return e;
}
