/* Tables of experiments: the columns that [draw] names, as text, Markdown or LaTeX. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/picture/markdown.h"
#include "plots/figures/script.h"
#include "plots/data/number.h"
#include "plots/gallery/tex.h"

enum { TABLE_COLUMNS = 32, TABLE_TEXT_ROOM = 256 };

struct table_column {
    char name[TABLE_TEXT_ROOM], head[TABLE_TEXT_ROOM], format[16];
    int at;     /* in the answer; -1: there are no rows either */
    int number; /* numbers only: right-aligned */
    int width;  /* characters of the widest text */
};

struct table {
    const struct experiment *experiment;
    const struct section *draw;
    const char *caption;
    const struct rowset *answer;
    struct table_column column[TABLE_COLUMNS];
    int columns;
    int group; /* a rule stands where this column's text changes; -1: nowhere */
    struct markdown_table *markdown;
    FILE *to;
};

int figure_is_table(const struct experiment *x)
{
    const char *shape = experiment_value(x, experiment_section(x, "draw", 0), "shape");
    return shape && strcmp(shape, "table") == 0;
}

/* Copies the next "name: text" of a list separated by semicolons; text is "" where there is none.
 * False at the list's end. */
static int next_entry(const char **list, char name[TABLE_TEXT_ROOM], char text[TABLE_TEXT_ROOM])
{
    const char *begin = *list + strspn(*list, " \t;");
    const char *end = begin + strcspn(begin, ";"),
               *colon = memchr(begin, ':', (size_t)(end - begin));
    *list = end;
    if (begin == end)
        return 0;
    if (!colon)
        colon = end;
    snprintf(name, TABLE_TEXT_ROOM, "%.*s", (int)(colon - begin), begin);
    colon += colon < end;
    colon += strspn(colon, " \t");
    snprintf(text, TABLE_TEXT_ROOM, "%.*s", (int)(colon < end ? end - colon : 0), colon);
    for (int k = 0; k < 2; k++) {
        char *p = k ? text : name, *last = p + strlen(p);
        while (last > p && strchr(" \t", last[-1]))
            *--last = '\0';
    }
    return 1;
}

/* A table without rows may lack the columns, too. */
static enum err find_column(const struct table *t, const char *value, const char *name, int *at)
{
    *at = rowset_column(t->answer, name);
    if (*at < 0 && t->answer->rows && rowset_find(t->answer, name, at))
        return experiment_fault(t->experiment, value, "%s", err_message());
    return ERR_OK;
}

static enum err read_columns(struct table *t)
{
    const char *value = experiment_value(t->experiment, t->draw, "columns"), *rest = value;
    char name[TABLE_TEXT_ROOM], head[TABLE_TEXT_ROOM];
    if (!value)
        FAIL(INPUT, "%s:%d: a table must have 'columns = NAME: HEADING; NAME: HEADING; ...'",
             t->experiment->file.path, t->draw->line);
    while (next_entry(&rest, name, head)) {
        struct table_column *c = &t->column[t->columns];
        if (t->columns == TABLE_COLUMNS)
            return experiment_fault(t->experiment, value, "more than %d columns", TABLE_COLUMNS);
        strcpy(c->name, name);
        strcpy(c->head, *head ? head : name);
        TRY(find_column(t, value, name, &c->at));
        t->columns++;
    }
    return t->columns ? ERR_OK : experiment_fault(t->experiment, value, "no columns are named");
}

static enum err read_formats(struct table *t)
{
    const char *value = experiment_value(t->experiment, t->draw, "format"), *rest = value;
    char name[TABLE_TEXT_ROOM], format[TABLE_TEXT_ROOM];
    while (value && next_entry(&rest, name, format)) {
        int found = 0;
        if (!number_format_valid(format))
            return experiment_fault(t->experiment, value,
                                    "'%s: %s': expected a printf format for numbers without its %% "
                                    "after the column, such as .2f",
                                    name, format);
        for (int k = 0; k < t->columns; k++)
            if (strcmp(t->column[k].name, name) == 0) {
                snprintf(t->column[k].format, sizeof t->column[k].format, "%s", format);
                found = 1;
            }
        if (!found)
            return experiment_fault(t->experiment, value, "'%s' is none of the table's columns",
                                    name);
    }
    return ERR_OK;
}

static void write_cell(const struct table *t, size_t row, const struct table_column *c,
                       char text[TABLE_TEXT_ROOM])
{
    const double x = rowset_number(t->answer, row, c->at);
    snprintf(text, TABLE_TEXT_ROOM, "%s", rowset_at(t->answer, row, c->at));
    if (*c->format && !isnan(x))
        number_write(x, c->format, text, TABLE_TEXT_ROOM);
}

/* Characters, not bytes, of a text in UTF-8. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void measure_column(const struct table *t, struct table_column *c)
{
    char text[TABLE_TEXT_ROOM];
    c->width = width_of(c->head);
    c->number = t->answer->rows > 0;
    for (size_t r = 0; r < t->answer->rows; r++) {
        write_cell(t, r, c, text);
        c->width = width_of(text) > c->width ? width_of(text) : c->width;
        c->number &= strcmp(text, "-") == 0 || !isnan(rowset_number(t->answer, r, c->at));
    }
}

static int begins_group(const struct table *t, size_t row)
{
    return row > 0 && t->group >= 0 &&
           strcmp(rowset_at(t->answer, row - 1, t->group), rowset_at(t->answer, row, t->group)) !=
               0;
}

static int is_last(const struct table *t, const struct table_column *c)
{
    return c == &t->column[t->columns - 1];
}

/* Removes blanks at line ends. */
static void text_cell(const struct table *t, const struct table_column *c, const char *text)
{
    const int fill = c->width - width_of(text);
    if (c->number)
        fprintf(t->to, "%*s", fill, "");
    fputs(text, t->to);
    if (is_last(t, c))
        fputc('\n', t->to);
    else
        fprintf(t->to, "%*s", c->number ? 2 : fill + 2, "");
}

static void text_rule(const struct table *t)
{
    int width = 2 * (t->columns - 1);
    for (int k = 0; k < t->columns; k++)
        width += t->column[k].width;
    while (width--)
        fputc('-', t->to);
    fputc('\n', t->to);
}

static void markdown_text(const struct table *t, const struct table_column *c, const char *text)
{
    (void)c;
    markdown_cell(t->markdown, "%s", text);
}

static void tex_cell(const struct table *t, const struct table_column *c, const char *text)
{
    if (strcmp(text, "-") == 0)
        fputs("--", t->to);
    else {
        if (c->number && *text == '-')
            fputs("$-$", t->to);
        tex_text(t->to, text + (c->number && *text == '-'));
    }
    fputs(is_last(t, c) ? " \\\\\n" : " & ", t->to);
}

static void print_rows(const struct table *t, const char *rule,
                       void (*cell)(const struct table *t, const struct table_column *c,
                                    const char *text),
                       const char *begin, const char *end)
{
    char text[TABLE_TEXT_ROOM];
    for (size_t r = 0; r < t->answer->rows; r++) {
        if (begins_group(t, r) && rule)
            fputs(rule, t->to);
        else if (begins_group(t, r))
            text_rule(t);
        fputs(begin, t->to);
        for (int k = 0; k < t->columns; k++) {
            write_cell(t, r, &t->column[k], text);
            cell(t, &t->column[k], text);
        }
        fputs(end, t->to);
    }
}

static void print_text(const struct table *t)
{
    for (int k = 0; k < t->columns; k++)
        text_cell(t, &t->column[k], t->column[k].head);
    text_rule(t);
    print_rows(t, NULL, text_cell, "", "");
}

static void print_markdown(const struct table *t)
{
    for (int k = 0; k < t->columns; k++)
        markdown_column(t->markdown, t->column[k].number, "%s", t->column[k].head);
    print_rows(t, "", markdown_text, "", "");
    markdown_table_end(t->markdown, t->to);
    markdown_print(t->to, "%s\n\n", t->caption);
}

static void print_tex(const struct table *t)
{
    fputs("\\begin{tabular}{", t->to);
    for (int k = 0; k < t->columns; k++)
        fputc(t->column[k].number ? 'r' : 'l', t->to);
    fputs("}\n\\toprule\n", t->to);
    for (int k = 0; k < t->columns; k++) {
        tex_text(t->to, t->column[k].head);
        fputs(is_last(t, &t->column[k]) ? " \\\\\n" : " & ", t->to);
    }
    fputs("\\midrule\n", t->to);
    print_rows(t, "\\midrule\n", tex_cell, "", "");
    fputs("\\bottomrule\n\\end{tabular}\n", t->to);
}

enum err table_print(const struct figure *f, enum table_form form, FILE *to)
{
    static void (*const print[])(const struct table *t) = {
        [TABLE_TEXT] = print_text, [TABLE_MARKDOWN] = print_markdown, [TABLE_TEX] = print_tex};
    struct markdown_table markdown = {0};
    struct table t = {.experiment = &f->experiment,
                      .draw = experiment_section(&f->experiment, "draw", 0),
                      .caption = f->caption,
                      .group = -1,
                      .markdown = &markdown,
                      .to = to};
    const char *group = experiment_value(t.experiment, t.draw, "group");
    const struct plot_table *rows;
    if (f->tables.count == 0)
        FAIL(INPUT, "%s: a table needs a section [data]", t.experiment->file.path);
    TRY(draw_table(f, &rows));
    t.answer = &rows->answer;
    TRY(read_columns(&t));
    TRY(read_formats(&t));
    if (group)
        TRY(find_column(&t, group, group, &t.group));
    for (int k = 0; k < t.columns; k++)
        measure_column(&t, &t.column[k]);
    print[form](&t);
    return ERR_OK;
}
