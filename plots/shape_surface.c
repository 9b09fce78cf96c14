/* The shape of surfaces over a plane: heights on a grid, a panel for each table. */
#include <math.h>

#include "plots/script.h"

enum { MOST_ALONG = 80, WIDTH = 760, PANEL = 460, SMALL = 340 };

const char *const surface_keys[] = {
    "shape",   "template", "table",   "devices", "size",    "columns",      "x", "y", "z", "bed",
    "x-label", "y-label",  "z-label", "view",    "stretch", "panel-titles", NULL};

struct surface {
    const struct frame *table;
    int x, y, z, bed;            /* columns */
    size_t along, rows;          /* points of a line of equal y, lines */
    double low, high, deep, top; /* of z and of the bed */
};

static enum err need_column(const struct figure *f, const struct frame *t, const char *key,
                            const char *usual, int *column)
{
    TRY(draw_column(f, t, key, column));
    if (*column < 0)
        *column = frame_column(t, usual);
    if (*column < 0)
        return draw_fault(f, key, "the table has no such column");
    return ERR_OK;
}

static enum err read_surface(struct surface *s, const struct figure *f, const struct frame *t)
{
    *s = (struct surface){
        .table = t, .low = HUGE_VAL, .high = -HUGE_VAL, .deep = HUGE_VAL, .top = -HUGE_VAL};
    TRY(need_column(f, t, "x", "x", &s->x));
    TRY(need_column(f, t, "y", "y", &s->y));
    TRY(need_column(f, t, "z", "w", &s->z));
    TRY(need_column(f, t, "bed", "bed", &s->bed));
    for (size_t row = 0; row < t->rows; row++) {
        const double z = frame_number(t, row, s->z);
        s->low = fmin(s->low, z);
        s->high = fmax(s->high, z);
        s->deep = fmin(s->deep, frame_number(t, row, s->bed));
        s->top = fmax(s->top, frame_number(t, row, s->bed));
        s->along += !(frame_number(t, row, s->y) > frame_number(t, 0, s->y));
    }
    if (s->along == 0 || t->rows % s->along != 0)
        return draw_fault(f, "shape", "a surface wants rows line by line, y by y");
    s->rows = t->rows / s->along;
    return ERR_OK;
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
            fprintf(to, "%s\t%s\t%s\t%s\t%s\n", name, frame_at(s->table, row, s->x),
                    frame_at(s->table, row, s->y), frame_at(s->table, row, s->z),
                    frame_at(s->table, row, s->bed));
        }
        fputc('\n', to);
    }
    fputc('\n', to);
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
            "stretch = %g\nx_log = 0\ny_log = 0\nx_tilt = 0\nname_room = 0\nsecond = 0\nx_names = "
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
    fputs("panels = panel_titles\n", files->script);
    return write_labels(f, stretch, files->script);
}

enum err shape_surface(const struct figure *f, const struct drawing_files *files)
{
    const struct plot_table *only = NULL;
    int panels = 0, flat = 1;
    double low = HUGE_VAL, high = -HUGE_VAL;
    if (draw_value(f, "table", NULL))
        TRY(draw_table(f, &only));
    TRY(write_layout(f, files, only ? 1 : f->tables.count));
    fputs("table\tx\ty\tz\tbed\n", files->data);
    for (int k = 0; k < f->tables.count; k++) {
        const struct plot_table *t = &f->tables.at[k];
        char title[SCRIPT_TEXT];
        struct surface s;
        if (only && only != t)
            continue;
        TRY(read_surface(&s, f, &t->frame));
        write_surface(&s, t->name, files->data);
        draw_title(f, "panel-titles", only || f->tables.count == 1 ? "" : t->name, title);
        script_entry(files->script, "panel_title", ++panels, title);
        low = fmin(low, fmin(s.low, s.deep));
        high = fmax(high, s.high);
        flat &= !(s.top > s.deep);
    }
    fprintf(files->script, "z_low = %.9g\nz_high = %.9g\nflat = %d\n", low, high, flat);
    return ERR_OK;
}
