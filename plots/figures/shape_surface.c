/* The shape of surfaces over a plane: heights on a grid, a panel for each table. */
#include <math.h>

#include "plots/figures/script.h"

enum { MOST_ALONG = 80, WIDTH = 760, PANEL = 460, SMALL = 340 };
enum { RAYS = 160, SMOOTH = 4 };

const char *const surface_keys[] = {
    "shape",   "template", "table",   "devices", "size",    "columns",      "x", "y", "z", "bed",
    "x-label", "y-label",  "z-label", "view",    "stretch", "panel-titles", NULL};

struct surface {
    const struct rowset *table;
    int x, y, z, bed;            /* columns */
    size_t along, rows;          /* points per line of equal y, number of lines */
    double low, high, deep, top; /* of z and of the bed */
    double west, south, dx, dy;  /* the first point, and how far they are apart */
};

struct ends {
    double low, high;
};

/* A mound of water with a steep edge all around. */
struct mound {
    double x, y, level; /* its middle; points above this level belong to it */
    double edge[RAYS];  /* how far from the middle, for each direction */
};

static enum err need_column(const struct figure *f, const struct rowset *t, const char *key,
                            const char *usual, int *column)
{
    TRY(draw_column(f, t, key, column));
    if (*column < 0)
        *column = rowset_column(t, usual);
    if (*column < 0)
        return draw_fault(f, key, "the table has no such column");
    return ERR_OK;
}

static enum err read_surface(struct surface *s, const struct figure *f, const struct rowset *t)
{
    *s = (struct surface){
        .table = t, .low = HUGE_VAL, .high = -HUGE_VAL, .deep = HUGE_VAL, .top = -HUGE_VAL};
    TRY(need_column(f, t, "x", "x", &s->x));
    TRY(need_column(f, t, "y", "y", &s->y));
    TRY(need_column(f, t, "z", "w", &s->z));
    TRY(need_column(f, t, "bed", "bed", &s->bed));
    for (size_t row = 0; row < t->rows; row++) {
        const double z = rowset_number(t, row, s->z);
        s->low = fmin(s->low, z);
        s->high = fmax(s->high, z);
        s->deep = fmin(s->deep, rowset_number(t, row, s->bed));
        s->top = fmax(s->top, rowset_number(t, row, s->bed));
        s->along += !(rowset_number(t, row, s->y) > rowset_number(t, 0, s->y));
    }
    if (s->along == 0 || t->rows % s->along != 0)
        return draw_fault(f, "shape", "a surface needs rows in order: ORDER BY y, x");
    s->rows = t->rows / s->along;
    s->west = rowset_number(t, 0, s->x);
    s->south = rowset_number(t, 0, s->y);
    s->dx = s->along > 1 ? rowset_number(t, 1, s->x) - s->west : 1;
    s->dy = s->rows > 1 ? rowset_number(t, s->along, s->y) - s->south : 1;
    return ERR_OK;
}

/* The row of the point next to a place. */
static size_t row_near(const struct surface *s, double x, double y)
{
    const double i = fmin(fmax(round((x - s->west) / s->dx), 0), (double)s->along - 1),
                 j = fmin(fmax(round((y - s->south) / s->dy), 0), (double)s->rows - 1);
    return (size_t)j * s->along + (size_t)i;
}

static double z_near(const struct surface *s, double x, double y)
{
    return rowset_number(s->table, row_near(s, x, y), s->z);
}

static double angle_of(int ray)
{
    return 2 * acos(-1) * ray / RAYS;
}

/* From a place to the end of the grid. */
static double way_out(const struct surface *s, const struct mound *m, int ray)
{
    const double c = cos(angle_of(ray)), n = sin(angle_of(ray));
    const double east = s->west + s->dx * (double)(s->along - 1),
                 north = s->south + s->dy * (double)(s->rows - 1);
    const double across = fabs(c) < 1e-9 ? HUGE_VAL : ((c > 0 ? east : s->west) - m->x) / c;
    const double up = fabs(n) < 1e-9 ? HUGE_VAL : ((n > 0 ? north : s->south) - m->y) / n;
    return fmin(across, up);
}

/* Where a ray leaves the mound; NAN if it enters it again, or reaches the end of the grid. */
static double find_edge(const struct surface *s, const struct mound *m, int ray)
{
    const double step = s->dx / 8;
    const int steps = (int)ceil(way_out(s, m, ray) / step);
    double edge = (double)NAN;
    for (int k = 0; k < steps; k++) {
        const double r = k * step;
        const int above =
            z_near(s, m->x + r * cos(angle_of(ray)), m->y + r * sin(angle_of(ray))) > m->level;
        if (above && !isnan(edge))
            return (double)NAN;
        if (!above && isnan(edge))
            edge = r;
    }
    return edge;
}

/* Are there two levels only, the upper one a mound? The grid's steps would show at its edge. */
static int find_mound(const struct surface *s, struct mound *m)
{
    const double almost = 0.02 * (s->high - s->low);
    double count = 0, between = 0, raw[RAYS];
    *m = (struct mound){.level = (s->low + s->high) / 2};
    for (size_t row = 0; row < s->table->rows; row++) {
        const double z = rowset_number(s->table, row, s->z);
        between += z > s->low + almost && z < s->high - almost;
        if (z > m->level) {
            m->x += rowset_number(s->table, row, s->x);
            m->y += rowset_number(s->table, row, s->y);
            count++;
        }
    }
    /* Cells that the edge crosses have a level in between. */
    if (count < 1 || between > 8 * sqrt(count) || s->top > s->deep)
        return 0;
    m->x /= count;
    m->y /= count;
    for (int k = 0; k < RAYS; k++) {
        raw[k] = find_edge(s, m, k);
        if (isnan(raw[k]))
            return 0;
    }
    for (int k = 0; k < RAYS; k++)
        for (int n = -SMOOTH; n <= SMOOTH; n++)
            m->edge[k] += raw[(k + n + RAYS) % RAYS] / (2 * SMOOTH + 1);
    return 1;
}

static void write_rim(const struct surface *s, const struct mound *m, const char *name, int ray,
                      double z, FILE *to)
{
    const double r = m->edge[ray % RAYS];
    fprintf(to, "%s\t%.6g\t%.6g\t%.9g\t%.9g\n", name, m->x + r * cos(angle_of(ray)),
            m->y + r * sin(angle_of(ray)), z, s->deep);
}

/* Two levels and the wall between them, two blank lines after each: the corners of the lower one, which
 * goes on below the mound; the wall, a line for each direction; around the upper one. */
static void write_mound(const struct surface *s, const struct mound *m, const char *name, FILE *to)
{
    const double east = s->west + s->dx * (double)(s->along - 1),
                 north = s->south + s->dy * (double)(s->rows - 1);
    for (int k = 0; k <= 4; k++)
        fprintf(to, "%s\t%.9g\t%.9g\t%.9g\t%.9g\n", name, k % 4 == 1 || k % 4 == 2 ? east : s->west,
                k % 4 >= 2 ? north : s->south, s->low, s->deep);
    fputs("\n\n", to);
    for (int k = 0; k <= RAYS; k++) {
        write_rim(s, m, name, k, s->low, to);
        write_rim(s, m, name, k, s->high, to);
        fputc('\n', to);
    }
    fputc('\n', to);
    for (int k = 0; k <= RAYS; k++)
        write_rim(s, m, name, k, s->high, to);
    fputs("\n\n", to);
}

/* The lines of a surface, a blank line after each: all or every second, third, ... point. Two blank
 * lines end it. */
static void write_surface(const struct surface *s, const char *name, FILE *to)
{
    const size_t longer = s->along > s->rows ? s->along : s->rows;
    const size_t step = (longer + MOST_ALONG - 1) / MOST_ALONG;
    for (size_t j = 0; j < s->rows; j += step) {
        for (size_t i = 0; i < s->along; i += step) {
            const size_t row = j * s->along + i;
            fprintf(to, "%s\t%s\t%s\t%s\t%s\n", name, rowset_at(s->table, row, s->x),
                    rowset_at(s->table, row, s->y), rowset_at(s->table, row, s->z),
                    rowset_at(s->table, row, s->bed));
        }
        fputc('\n', to);
    }
    fputc('\n', to);
}

/* The line through the middle; two blank lines end it. */
static void write_cut(const struct surface *s, const char *name, FILE *to)
{
    for (size_t i = 0; i < s->along; i++) {
        const size_t row = s->rows / 2 * s->along + i;
        fprintf(to, "%s\t%s\t%s\t%s\t%s\n", name, rowset_at(s->table, row, s->x),
                rowset_at(s->table, row, s->y), rowset_at(s->table, row, s->z),
                rowset_at(s->table, row, s->bed));
    }
    fputs("\n\n", to);
}

static enum err write_labels(const struct figure *f, double stretch, FILE *script)
{
    static const char *const labels[][2] = {
        {"x-label", "x_label"}, {"y-label", "y_label"}, {"z-label", "z_label"}};
    char text[SCRIPT_TEXT];
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        if (!draw_value(f, labels[k][0], NULL))
            return draw_fault(f, labels[k][0], "every axis has one, with its unit");
        TRY(draw_text(f, labels[k][0], NULL, text));
        script_text(script, labels[k][1], text);
    }
    script_text(script, "view", draw_value(f, "view", "60, 25"));
    TRY(draw_number(f, "stretch", 0.5, &stretch));
    fprintf(script,
            "stretch = %g\nx_log = 0\ny_log = 0\nx_tilt = 0\nname_room = 0\nsecond = 0\nbelow = "
            "0\nx_names = "
            "0\nmarks = 0\n"
            "curves = 0\nkey = 'none'\narray curve_title[1]\n",
            stretch);
    return ERR_OK;
}

/* Size and panels. */
static enum err write_layout(const struct figure *f, const struct drawing_files *files, int count)
{
    double across, stretch;
    TRY(draw_number(f, "columns", count < 3 ? count : 3, &across));
    if (!(across >= 1 && across <= 6))
        return draw_fault(f, "columns", "is how many panels stand side by side, 1 to 6");
    TRY(draw_number(f, "stretch", 0.5, &stretch));
    const int down = (count + (int)across - 1) / (int)across, each = across > 1 ? SMALL : PANEL;
    int width = across > 1 ? 900 : WIDTH;
    int height = 60 + (int)(down * each * (0.6 + 0.5 * fmin(fmax(stretch, 0), 2)));
    TRY(draw_size(f, &width, &height));
    script_begin(f, files, width, height);
    fprintf(files->script, "across = %d\n", (int)across);
    script_array(files->script, "panel_title", count);
    fprintf(files->script, "array block[%d]\narray mound[%d]\narray cut[%d]\n", count, count,
            count);
    fputs("panels = panel_titles\n", files->script);
    return write_labels(f, stretch, files->script);
}

static void widen(struct ends *e, double first, double apart, size_t count)
{
    e->low = fmin(e->low, first);
    e->high = fmax(e->high, first + apart * (double)(count - 1));
}

enum err shape_surface(const struct figure *f, const struct drawing_files *files)
{
    const struct plot_table *only = NULL;
    int panels = 0, blocks = 0, flat = 1;
    double low = HUGE_VAL, high = -HUGE_VAL;
    struct ends x = {HUGE_VAL, -HUGE_VAL}, y = x;
    if (draw_value(f, "table", NULL))
        TRY(draw_table(f, &only));
    TRY(write_layout(f, files, only ? 1 : f->tables.count));
    fputs("table\tx\ty\tz\tbed\n", files->data);
    for (int k = 0; k < f->tables.count; k++) {
        const struct plot_table *t = &f->tables.at[k];
        char title[SCRIPT_TEXT];
        struct surface s;
        struct mound mound;
        if (only && only != t)
            continue;
        TRY(read_surface(&s, f, &t->answer));
        const int is_mound = find_mound(&s, &mound);
        script_entry_number(files->script, "block", panels + 1, blocks);
        script_entry_number(files->script, "mound", panels + 1, is_mound);
        script_entry_number(files->script, "cut", panels + 1, blocks + (is_mound ? 3 : 1));
        blocks += is_mound ? 4 : 2;
        if (is_mound)
            write_mound(&s, &mound, t->name, files->data);
        else
            write_surface(&s, t->name, files->data);
        write_cut(&s, t->name, files->data);
        draw_title(f, "panel-titles", only || f->tables.count == 1 ? "" : t->name, title);
        script_entry(files->script, "panel_title", ++panels, title);
        widen(&x, s.west, s.dx, s.along);
        widen(&y, s.south, s.dy, s.rows);
        low = fmin(low, fmin(s.low, s.deep));
        high = fmax(high, s.high);
        flat &= !(s.top > s.deep);
    }
    fprintf(files->script, "x_low = %.9g\nx_high = %.9g\ny_low = %.9g\ny_high = %.9g\n", x.low,
            x.high, y.low, y.high);
    fprintf(files->script, "z_low = %.9g\nz_high = %.9g\nflat = %d\n", low, high, flat);
    return ERR_OK;
}
