/* Reads the keys of [draw] and writes gnuplot's variables. */
#include "plots/figures/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "core/picture/gnuplot.h"

static const struct section *draw_section(const struct experiment *x)
{
    return experiment_section(x, "draw", 0);
}

enum err draw_keys(const struct experiment *x, const char *shape, const char *const *known)
{
    const struct section *s = draw_section(x);
    struct catalog c = {0};
    for (int k = 0; known[k]; k++)
        catalog_add(&c, known[k]);
    for (int k = 0; s && k < s->count; k++) {
        const struct setting *set = &x->file.setting[s->first + k];
        if (catalog_has(&c, set->key))
            continue;
        char what[64], message[2048];
        snprintf(what, sizeof what, "key of [draw] with shape = %s", shape);
        catalog_unknown(&c, what, set->key, NULL);
        snprintf(message, sizeof message, "%s", err_message());
        FAIL(INPUT, "%s:%d: %s", x->file.path, set->line, message);
    }
    return ERR_OK;
}

const char *draw_value(const struct figure *f, const char *key, const char *usual)
{
    const char *value = experiment_value(&f->experiment, draw_section(&f->experiment), key);
    return value ? value : usual;
}

enum err draw_fault(const struct figure *f, const char *key, const char *what)
{
    const char *value = draw_value(f, key, NULL);
    if (value)
        return experiment_fault(&f->experiment, value, "%s", what);
    FAIL(INPUT, "%s: [draw] %s: %s", f->experiment.file.path, key, what);
}

enum err draw_text(const struct figure *f, const char *key, const char *usual,
                   char text[SCRIPT_TEXT])
{
    const char *value = draw_value(f, key, usual);
    return facts_fill(&f->facts, value ? value : "", text, SCRIPT_TEXT);
}

enum err draw_number(const struct figure *f, const char *key, double usual, double *number)
{
    char text[SCRIPT_TEXT], *end;
    *number = usual;
    if (!draw_value(f, key, NULL))
        return ERR_OK;
    TRY(draw_text(f, key, NULL, text));
    *number = strtod(text, &end);
    if (end == text || *end)
        return draw_fault(f, key, "is a number, or {a fact}");
    return ERR_OK;
}

enum err draw_word(const struct figure *f, const char *key, const char *const *words, int *which)
{
    const char *value = draw_value(f, key, words[0]);
    char list[SCRIPT_TEXT] = "is one of";
    for (*which = 0; words[*which]; (*which)++) {
        if (strcmp(words[*which], value) == 0)
            return ERR_OK;
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, " %s", words[*which]);
    }
    return draw_fault(f, key, list);
}

enum err draw_size(const struct figure *f, int *width, int *height)
{
    enum { LEAST = 100, MOST = 4000 };
    const char *value = draw_value(f, "size", NULL);
    char *by = NULL, *end = NULL;
    if (!value)
        return ERR_OK;
    const long w = strtol(value, &by, 10), h = *by == 'x' ? strtol(by + 1, &end, 10) : 0;
    *width = w < LEAST || w > MOST ? 0 : (int)w;
    *height = h < LEAST || h > MOST ? 0 : (int)h;
    if (*width == 0 || *height == 0 || !end || *end)
        return draw_fault(f, "size", "is WIDTHxHEIGHT in pixels, 100 to 4000, such as 900x400");
    return ERR_OK;
}

enum err draw_table(const struct figure *f, const struct plot_table **table)
{
    const char *name = draw_value(f, "table", NULL);
    *table = NULL;
    for (int k = 0; k < f->tables.count && !*table; k++)
        if (!name || strcmp(f->tables.at[k].name, name) == 0)
            *table = &f->tables.at[k];
    return *table ? ERR_OK : draw_fault(f, "table", "there is no such section [data]");
}

enum err draw_column(const struct figure *f, const struct rowset *table, const char *key,
                     int *column)
{
    const char *name = draw_value(f, key, NULL);
    struct catalog known = {0};
    *column = name ? rowset_column(table, name) : -1;
    if (!name || *column >= 0)
        return ERR_OK;
    for (int k = 0; k < table->columns && k < CATALOG_ENTRIES; k++)
        catalog_add(&known, table->name[k]);
    catalog_unknown(&known, "column", name, NULL);
    char message[2048];
    snprintf(message, sizeof message, "%s", err_message());
    return draw_fault(f, key, message);
}

void draw_title(const struct figure *f, const char *key, const char *value, char title[SCRIPT_TEXT])
{
    const char *s = draw_value(f, key, "");
    const size_t length = strlen(value);
    snprintf(title, SCRIPT_TEXT, "%s", value);
    while (*s) {
        s += strspn(s, " ;");
        const size_t n = strcspn(s, ";");
        if (strncmp(s, value, length) == 0 && s[length] == ':') {
            const char *from = s + length + 1 + strspn(s + length + 1, " ");
            size_t size = (size_t)(s + n - from);
            while (size && from[size - 1] == ' ')
                size--;
            snprintf(title, SCRIPT_TEXT, "%.*s", (int)size, from);
            return;
        }
        s += n;
    }
}

void script_array(FILE *script, const char *name, int count)
{
    fprintf(script, "%ss = %d\narray %s[%d]\n", name, count, name, count ? count : 1);
}

void script_entry(FILE *script, const char *name, int k, const char *text)
{
    fprintf(script, "%s[%d] = ", name, k);
    gnuplot_text(script, text);
    fputc('\n', script);
}

void script_entry_number(FILE *script, const char *name, int k, double number)
{
    if (isnan(number))
        fprintf(script, "%s[%d] = NaN\n", name, k);
    else
        fprintf(script, "%s[%d] = %.9g\n", name, k, number);
}

void script_text(FILE *script, const char *name, const char *text)
{
    fprintf(script, "%s = ", name);
    gnuplot_text(script, text);
    fputc('\n', script);
}

void script_begin(const struct figure *f, const struct drawing_files *files, int width, int height)
{
    script_text(files->script, "data", files->data_name);
    fprintf(files->script, "width = %d\nheight = %d\n", width, height);
    script_text(files->script, "foot", f->foot);
}
