/* Tables as CSV (RFC 4180): names first, then a line for each row; missing values are empty. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/output_file.h"
#include "core/netcdf/read_table.h"
#include "core/options/options.h"
#include "core/raster/write.h"
#include "plots/export/export.h"

static void print_text(FILE *f, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

static void print_number(FILE *f, double x, int single)
{
    char text[32] = "";
    if (isfinite(x) && single)
        raster_format((float)x, text);
    else if (isfinite(x))
        option_format_real(x, text, sizeof text);
    fputs(text, f);
}

static void print_table(FILE *f, const void *context)
{
    const struct nctable *t = context;
    if (t->label)
        print_text(f, t->key);
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k || t->label ? "," : "", f);
        print_text(f, t->column[k].name);
    }
    fputc('\n', f);
    for (size_t row = 0; row < t->rows; row++) {
        if (t->label)
            print_text(f, t->label + row * NCTABLE_NAME);
        for (size_t k = 0; k < t->columns; k++) {
            fputs(k || t->label ? "," : "", f);
            print_number(f, t->value[row * t->columns + k], t->column[k].single);
        }
        fputc('\n', f);
    }
}

enum err export_table(const struct export_settings *s, const char *from, const char *to)
{
    struct nctable t;
    enum err e = nctable_read(&t, from, s->variable);
    if (!e)
        e = outfile_print(to, print_table, &t);
    nctable_free(&t);
    return e;
}
