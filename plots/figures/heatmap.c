/* Puts blocks into a grid, and prints it for a terminal. */
#include "plots/figures/heatmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/db/terminal_heatmap.h"

static enum err find_columns(struct heatmap *m, const struct figure *f)
{
    static const char *const needed[] = {"kernel", "best", "tied", "is_default", "usual", "reason"};
    const struct {
        const char *name;
        int *at;
    } columns[] = {
        {"width", &m->width}, {"height", &m->height}, {"outcome", &m->outcome}, {"loss", &m->loss}};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        *columns[k].at = rowset_column(m->table, columns[k].name);
        if (*columns[k].at < 0)
            return draw_fault(f, "shape", "a heat map is made from a table of blocks");
    }
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (rowset_column(m->table, needed[k]) < 0)
            return draw_fault(f, "shape", "a heat map is made from a table of blocks");
    m->panel = rowset_column(m->table, "kernel");
    return draw_value(f, "panel", NULL) ? draw_column(f, m->table, "panel", &m->panel) : ERR_OK;
}

static int in_panel(const struct heatmap *m, size_t row, const char *name)
{
    return strcmp(rowset_at(m->table, row, m->panel), name) == 0;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The distinct sides in a column. */
static enum err list_sides(const struct heatmap *m, const char *name, int column, int **list,
                           int *count)
{
    int n = 0;
    int *side = malloc((m->table->rows + 1) * sizeof *side);
    *list = side;
    *count = 0;
    if (!side)
        FAIL(MEMORY, "no memory for a heat map");
    for (size_t row = 0; row < m->table->rows; row++)
        if (in_panel(m, row, name))
            side[n++] = (int)rowset_number(m->table, row, column);
    qsort(side, (size_t)n, sizeof *side, ascending);
    for (int k = 0; k < n; k++)
        if (k == 0 || side[k] != side[*count - 1])
            side[(*count)++] = side[k];
    return ERR_OK;
}

static int place_of(const int *side, int count, int wanted)
{
    int k = 0;
    while (k < count && side[k] != wanted)
        k++;
    return k;
}

static enum err fill_panel(const struct heatmap *m, const struct figure *f, struct heatmap_panel *p)
{
    const size_t cells = (size_t)p->widths * (size_t)p->heights;
    p->row = malloc((cells + 1) * sizeof *p->row);
    if (!p->row)
        FAIL(MEMORY, "no memory for a heat map");
    for (size_t cell = 0; cell <= cells; cell++)
        p->row[cell] = -1;
    for (size_t row = 0; row < m->table->rows; row++) {
        if (!in_panel(m, row, p->name))
            continue;
        const int w = (int)rowset_number(m->table, row, m->width),
                  h = (int)rowset_number(m->table, row, m->height);
        const int i = place_of(p->w, p->widths, w), j = place_of(p->h, p->heights, h);
        if (i == p->widths || j == p->heights)
            continue;
        long *cell = &p->row[j * p->widths + i];
        if (*cell >= 0)
            FAIL(INPUT,
                 "%s: the table has the block %dx%d of '%s' twice: choose rows with nx, "
                 "precision or where",
                 f->experiment.file.path, w, h, p->name);
        *cell = (long)row;
    }
    return ERR_OK;
}

static enum err kernel_name(void *context, const char *name, struct sql_value *v)
{
    (void)name;
    v->text = context;
    return ERR_OK;
}

static enum err read_thesis(const struct heatmap *m, const struct figure *f,
                            struct heatmap_panel *p)
{
    static const char *const yes[] = {"yes", "no", NULL};
    char kernel[DB_NAME + 1];
    const struct sql_names names = {kernel, kernel_name};
    struct rowset a;
    int left_out;
    size_t row = 0;
    TRY(draw_word(f, "thesis", yes, &left_out));
    if (left_out)
        return ERR_OK;
    while (!in_panel(m, row, p->name))
        row++;
    snprintf(kernel, sizeof kernel, "%s",
             rowset_at(m->table, row, rowset_column(m->table, "kernel")));
    TRY(database_ask(f->database,
                     "SELECT letter, width, height FROM thesis_blocks WHERE kernel = :kernel "
                     "ORDER BY rowid",
                     &names, &a));
    for (size_t k = 0; k < a.rows && p->choices < THESIS_CHOICES; k++)
        p->choice[p->choices++] = (struct thesis_choice){
            *rowset_at(&a, k, 0), {(int)rowset_number(&a, k, 1), (int)rowset_number(&a, k, 2)}};
    rowset_free(&a);
    return ERR_OK;
}

static enum err add_panel(struct heatmap *m, const struct figure *f, const char *name)
{
    struct heatmap_panel *p = &m->at[m->panels];
    for (int k = 0; k < m->panels; k++)
        if (strcmp(m->at[k].name, name) == 0)
            return ERR_OK;
    if (m->panels == HEATMAP_PANELS)
        return draw_fault(f, "panel", "makes more than 32 panels");
    m->panels++;
    p->name = name;
    TRY(list_sides(m, name, m->width, &p->w, &p->widths));
    TRY(list_sides(m, name, m->height, &p->h, &p->heights));
    TRY(fill_panel(m, f, p));
    return read_thesis(m, f, p);
}

enum err heatmap_create(struct heatmap *m, const struct figure *f)
{
    const struct plot_table *table;
    *m = (struct heatmap){0};
    TRY(draw_table(f, &table));
    m->table = &table->answer;
    TRY(find_columns(m, f));
    for (size_t row = 0; row < m->table->rows; row++)
        if (isnan(rowset_number(m->table, row, m->width)) ||
            isnan(rowset_number(m->table, row, m->height)))
            return draw_fault(f, "shape", "a heat map's blocks have a width and a height");
    for (size_t row = 0; row < m->table->rows; row++)
        TRY(add_panel(m, f, rowset_at(m->table, row, m->panel)));
    if (m->panels == 0)
        FAIL(INPUT, "%s: the table has no blocks", f->experiment.file.path);
    return ERR_OK;
}

void heatmap_free(struct heatmap *m)
{
    for (int k = 0; k < m->panels; k++) {
        free(m->at[k].w);
        free(m->at[k].h);
        free(m->at[k].row);
    }
    *m = (struct heatmap){0};
}

int heatmap_flag(const struct heatmap *m, const struct heatmap_panel *p, int i, int j,
                 const char *column)
{
    const long row = p->row[j * p->widths + i];
    return row >= 0 && rowset_number(m->table, (size_t)row, rowset_column(m->table, column)) > 0;
}

/* A panel's rows as the terminal's heat map takes them, the best first. */
static void fill_group(const struct heatmap *m, const struct heatmap_panel *p, struct db_group *g,
                       struct block *usual)
{
    const struct rowset *t = m->table;
    const int median = rowset_column(t, "median_us");
    const int low = rowset_column(t, "low_us"), high = rowset_column(t, "high_us");
    for (int cell = 0; cell < p->widths * p->heights; cell++) {
        if (p->row[cell] < 0)
            continue;
        const size_t row = (size_t)p->row[cell];
        const int i = cell % p->widths, j = cell / p->widths;
        struct db_row *to = &g->row[g->count++];
        const char *outcome = rowset_at(t, row, m->outcome);
        to->block = (struct block){p->w[i], p->h[j]};
        while (strcmp(db_outcomes[to->outcome], outcome) != 0 && to->outcome < DB_OUTCOMES - 1)
            to->outcome++;
        g->ok += to->outcome == DB_OK;
        /* One timing, whose quartiles give back the interval. */
        to->number[DB_MEDIAN] = rowset_number(t, row, median);
        to->number[DB_KEPT] = 1;
        to->number[DB_Q1] = 0;
        to->number[DB_Q3] = (rowset_number(t, row, high) - rowset_number(t, row, low)) / 2 / 1.57;
        if (heatmap_flag(m, p, i, j, "is_default"))
            *usual = to->block;
        if (heatmap_flag(m, p, i, j, "best")) {
            const struct db_row first = g->row[0];
            g->row[0] = *to;
            *to = first;
        }
    }
}

enum err heatmap_text(const struct figure *f, FILE *to, int colour)
{
    struct heatmap m;
    struct db_group g = {0};
    enum err e = ERR_OK;
    TRY_OUT(heatmap_create(&m, f));
    g.row = calloc(m.table->rows + 1, sizeof *g.row);
    if (!g.row) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a heat map");
        goto out;
    }
    for (int k = 0; k < m.panels; k++) {
        struct block usual = {0, 0};
        memset(g.row, 0, (m.table->rows + 1) * sizeof *g.row);
        g.count = g.ok = 0;
        fill_group(&m, &m.at[k], &g, &usual);
        fprintf(to, "%s%s:\n", k ? "\n" : "", *m.at[k].name ? m.at[k].name : "blocks");
        heatmap_print(to, &g, usual, colour);
    }
out:
    free(g.row);
    heatmap_free(&m);
    return e;
}
