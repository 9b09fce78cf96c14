/* The shape of heat maps: widths of blocks across, heights up, and how much slower than the best
 * each is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figures/heatmap.h"

static const double near = 0.6; /* cells */

enum {
    WIDTH = 900,
    LEFT = 78,
    RIGHT = 100,
    GAP = 64,
    SMALL_LETTER = 5,
    LETTER = 6,
    SAMPLE = 38 /* pixels */
};

/* The meaning of a mark in the key; the template draws each in its own way. */
static const struct {
    const char *kind, *title;
} entries[] = {{"best", "best"},
               {"tied", "tied with it"},
               {"default", "default"},
               {"usual", "16x16"},
               {"R", "thesis, untuned"},
               {"Q", "thesis, Q1800M"},
               {"G", "thesis, GTX480"},
               {"L", "thesis, GTX435M"},
               {"constraint", "not possible"},
               {"compile", "does not compile"},
               {"launch", "does not start"},
               {"wrong-answer", "wrong answer"},
               {"time-out", "too slow to finish"},
               {"blank", "not tried"}};
enum { ENTRIES = sizeof entries / sizeof *entries };

const char *const heatmap_keys[] = {"shape", "template", "table",  "devices",      "size",
                                    "panel", "columns",  "thesis", "panel-titles", NULL};

static void write_cell(const struct heatmap *m, size_t row, int across, int up, FILE *to)
{
    const struct rowset *t = m->table;
    static const char *const columns[] = {"outcome",    "loss",  "best",  "tied",
                                          "is_default", "usual", "reason"};
    fprintf(to, "%s\t%s\t%s\t%d\t%d", rowset_at(t, row, m->panel), rowset_at(t, row, m->width),
            rowset_at(t, row, m->height), across + 1, up + 1);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        fprintf(to, "\t%s", rowset_at(t, row, rowset_column(t, columns[k])));
    fputc('\n', to);
}

static void write_data(const struct heatmap *m, FILE *to)
{
    fputs("panel\twidth\theight\tacross\tup\toutcome\tloss\tbest\ttied\tdefault\tusual\treason\n",
          to);
    for (int p = 0; p < m->panels; p++) {
        const struct heatmap_panel *panel = &m->at[p];
        for (int cell = 0; cell < panel->widths * panel->heights; cell++)
            if (panel->row[cell] >= 0)
                write_cell(m, (size_t)panel->row[cell], cell % panel->widths, cell / panel->widths,
                           to);
        if (p + 1 < m->panels)
            fputs("\n\n", to);
    }
}

static int is_tied(const struct heatmap *m, const struct heatmap_panel *p, int i, int j)
{
    return i >= 0 && i < p->widths && j >= 0 && j < p->heights && heatmap_flag(m, p, i, j, "tied");
}

/* The sides of tied cells beyond which there is none: x y dx dy. */
static void write_outline(const struct heatmap *m, FILE *script)
{
    static const double side[4][6] = {{-1, 0, -0.5, -0.5, 0, 1},
                                      {1, 0, 0.5, -0.5, 0, 1},
                                      {0, -1, -0.5, -0.5, 1, 0},
                                      {0, 1, -0.5, 0.5, 1, 0}};
    fputs("$outline << END\n", script);
    for (int n = 0; n < m->panels; n++) {
        const struct heatmap_panel *p = &m->at[n];
        fputs("0\t0\t0\t0\n", script); /* gnuplot does not count a set without lines */
        for (int i = 0; i < p->widths; i++)
            for (int j = 0; j < p->heights; j++)
                for (int k = 0; is_tied(m, p, i, j) && k < 4; k++)
                    if (!is_tied(m, p, i + (int)side[k][0], j + (int)side[k][1]))
                        fprintf(script, "%g\t%g\t%g\t%g\n", i + 1 + side[k][2], j + 1 + side[k][3],
                                side[k][4], side[k][5]);
        fputs("\n\n", script);
    }
    fputs("END\n", script);
}

/* The position of a size among the tried ones, perhaps between two; 0: outside. */
static double place_between(const int *side, int count, int wanted)
{
    for (int k = 0; k < count; k++) {
        if (side[k] == wanted)
            return k + 1;
        if (side[k] > wanted)
            return k ? k + (double)(wanted - side[k - 1]) / (side[k] - side[k - 1]) : 0;
    }
    return 0;
}

/* Would a letter hide a mark here, or touch one from between two rows? */
static int is_marked(const struct heatmap *m, const struct heatmap_panel *p, double x, double y)
{
    const int i = (int)lround(x) - 1, j = (int)lround(y) - 1;
    return heatmap_flag(m, p, i, j, "best") || heatmap_flag(m, p, i, j, "is_default") ||
           heatmap_flag(m, p, i, j, "usual");
}

/* Position of a choice; false if it is outside the tried sizes. */
static int find_choice(const struct heatmap_panel *p, int k, double *x, double *y)
{
    *x = place_between(p->w, p->widths, p->choice[k].block.w);
    *y = place_between(p->h, p->heights, p->choice[k].block.h);
    return *x > 0 && *y > 0;
}

/* The letters of a panel; overlapping ones are put at the first one's position. */
static void write_letters(const struct heatmap *m, const struct heatmap_panel *p, FILE *script)
{
    int written[THESIS_CHOICES] = {0};
    double x, y, other_x, other_y;
    for (int k = 0; k < p->choices; k++) {
        char letters[THESIS_CHOICES + 1] = "";
        int count = 0;
        if (written[k] || !find_choice(p, k, &x, &y))
            continue;
        for (int i = k; i < p->choices; i++)
            if (!written[i] && find_choice(p, i, &other_x, &other_y) && fabs(x - other_x) < near &&
                fabs(y - other_y) < near) {
                letters[count++] = p->choice[i].letter;
                written[i] = 1;
            }
        const double aside = is_marked(m, p, x, y) ? 0.42 : 0;
        const double above = y > floor(y) ? 0 : aside;
        fprintf(script, "%.4g\t%.4g\t%s\n", x + aside, y + above, letters);
    }
}

static void write_thesis(const struct heatmap *m, FILE *script)
{
    fputs("$thesis << END\n", script);
    for (int n = 0; n < m->panels; n++) {
        fputs("0\t0\t\n", script);
        write_letters(m, &m->at[n], script);
        fputs("\n\n", script);
    }
    fputs("END\n", script);
}

/* Does the figure have anything that this entry of the key explains? */
static int is_shown(const struct heatmap *m, const char *kind)
{
    const char *column = strcmp(kind, "default") == 0 ? "is_default" : kind;
    double x, y;
    for (int n = 0; n < m->panels; n++) {
        const struct heatmap_panel *p = &m->at[n];
        for (int k = 0; k < p->choices; k++)
            if (kind[1] == '\0' && p->choice[k].letter == *kind && find_choice(p, k, &x, &y))
                return 1;
        for (int cell = 0; cell < p->widths * p->heights; cell++) {
            const int i = cell % p->widths, j = cell / p->widths;
            if (p->row[cell] < 0 && strcmp(kind, "blank") == 0)
                return 1;
            if (p->row[cell] < 0)
                continue;
            const char *outcome = rowset_at(m->table, (size_t)p->row[cell], m->outcome);
            if (strcmp(outcome, kind) == 0)
                return 1;
            if (rowset_column(m->table, column) >= 0 && heatmap_flag(m, p, i, j, column))
                return 1;
        }
    }
    return 0;
}

/* Entries are side by side, as many as fit; then in the next row. */
static void write_key(const struct heatmap *m, int width, FILE *script)
{
    int count = 0, x = LEFT, y = 0;
    fprintf(script,
            "array curve_title[%d]\narray curve_kind[%d]\narray key_x[%d]\narray key_y[%d]\n",
            ENTRIES, ENTRIES, ENTRIES, ENTRIES);
    for (int k = 0; k < ENTRIES; k++) {
        const int need = SAMPLE + LETTER * (int)strlen(entries[k].title);
        if (!is_shown(m, entries[k].kind))
            continue;
        if (x + need > width && x > LEFT) {
            x = LEFT;
            y++;
        }
        script_entry(script, "curve_title", ++count, entries[k].title);
        script_entry(script, "curve_kind", count, entries[k].kind);
        script_entry_number(script, "key_x", count, x);
        script_entry_number(script, "key_y", count, y);
        x += need;
    }
    fprintf(script, "curves = %d\nkey = 'none'\nown_key_rows = %d\n", count, y + 1);
}

/* Labels of sizes, without those that would touch the last one. */
static void write_sides(FILE *script, const char *name, int panel, const int *side, int count,
                        double room)
{
    const double each = room / count;
    double last = -1e9;
    fprintf(script, "%s_range[%d] = '[0.5:%g]'\n%s_tics[%d] = 'set %stics (", name, panel,
            count + 0.5, name, panel, name);
    for (int k = 0; k < count; k++) {
        const int digits = side[k] < 10 ? 1 : side[k] < 100 ? 2 : side[k] < 1000 ? 3 : 4;
        const double need = *name == 'x' ? SMALL_LETTER * digits + 1 : 11;
        const int fits = each * k - last >= need;
        if (fits) {
            fprintf(script, "%s\"%d\" %d", k ? ", " : "", side[k], k + 1);
            last = each * k;
        }
    }
    fputs(")'\n", script);
}

/* The end of the colours, percent: all that take twice as long as the best are equally bad. */
static double find_most(const struct heatmap *m)
{
    static const double ends[] = {10, 20, 50};
    double most = 0;
    for (size_t row = 0; row < m->table->rows; row++) {
        const double loss = rowset_number(m->table, row, m->loss);
        most = loss > most ? loss : most;
    }
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (most <= ends[k])
            return ends[k];
    return 100;
}

static enum err write_panels(const struct heatmap *m, const struct figure *f,
                             const struct drawing_files *files)
{
    FILE *script = files->script;
    int width = WIDTH, widest = 0, highest = 0;
    double across;
    for (int p = 0; p < m->panels; p++) {
        widest = m->at[p].widths > widest ? m->at[p].widths : widest;
        highest = m->at[p].heights > highest ? m->at[p].heights : highest;
    }
    TRY(draw_number(f, "columns", widest > 30 || m->panels == 1 ? 1 : 2, &across));
    if (!(across >= 1 && across <= 6))
        return draw_fault(f, "columns", "is how many panels stand side by side, 1 to 6");
    const int down = (m->panels + (int)across - 1) / (int)across;
    if (widest <= 30 && m->panels == 1)
        width = 640;
    int height = 130 + down * (highest * (across > 1 || widest > 30 ? 15 : 19) + GAP);
    TRY(draw_size(f, &width, &height));
    script_begin(f, files, width, height);
    write_key(m, width, script);
    fprintf(script, "across = %d\nmost = %g\n", (int)across, find_most(m));
    script_array(script, "panel_title", m->panels);
    fputs("panels = panel_titles\n", script);
    for (int k = 0; k < 4; k++)
        fprintf(script, "array %c_%s[%d]\n", "xy"[k / 2], k % 2 ? "tics" : "range", m->panels);
    const double room_x = (width - LEFT - RIGHT - (across - 1) * GAP) / across;
    const double room_y = (height - 130.0 - down * GAP) / down;
    fprintf(script, "cell = %.3g\n", fmin(room_x / widest, room_y / highest));
    for (int p = 0; p < m->panels; p++) {
        char title[SCRIPT_TEXT];
        draw_title(f, "panel-titles", m->at[p].name, title);
        script_entry(script, "panel_title", p + 1, title);
        write_sides(script, "x", p + 1, m->at[p].w, m->at[p].widths, room_x);
        write_sides(script, "y", p + 1, m->at[p].h, m->at[p].heights, room_y);
    }
    return ERR_OK;
}

enum err shape_heatmap(const struct figure *f, const struct drawing_files *files)
{
    struct heatmap m;
    enum err e = ERR_OK;
    TRY_OUT(heatmap_create(&m, f));
    TRY_OUT(write_panels(&m, f, files));
    fputs("x_log = 0\ny_log = 0\nx_tilt = 0\nname_room = 0\nsecond = 0\nbelow = 0\nx_names = "
          "0\nmarks = 0\n"
          "x_label = 'width of a block (threads)'\ny_label = 'height (threads)'\n",
          files->script);
    write_outline(&m, files->script);
    write_thesis(&m, files->script);
    write_data(&m, files->data);
out:
    heatmap_free(&m);
    return e;
}
