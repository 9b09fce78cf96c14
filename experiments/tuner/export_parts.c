/* Shared by the writers of export formats. */
#include "experiments/tuner/export_parts.h"

#include <math.h>
#include <string.h>

#include "core/base/printable.h"

void export_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (int n; *text; text += n) {
        n = utf8_length(text);
        if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if (n == 1 && *text < ' ')
            fprintf(f, "\\u%04x", (unsigned)*text);
        else if (n)
            fwrite(text, 1, (size_t)n, f);
        else /* a reason that was truncated within a character */
            fputc('?', f);
        n = n ? n : 1;
    }
    fputc('"', f);
}

void export_provenance(FILE *f, const struct exported *x)
{
    static const char section[] = "environment/";
    const char *comma = "";
    fputs("\"shoal\": {\"case\": ", f);
    export_text(f, x->place->flow);
    fprintf(f, ", \"precision\": \"%s\", \"flags\": ", precision_names[x->place->precision]);
    export_text(f, x->flags);
    fprintf(f, ", \"source\": \"%s\", \"environment\": {", x->group->row[0].source);
    for (size_t k = 0; k < x->manifest->count; k++) {
        const struct db_entry *entry = &x->manifest->entry[k];
        if (strncmp(entry->key, section, sizeof section - 1) != 0)
            continue;
        fputs(comma, f);
        export_text(f, entry->key + sizeof section - 1);
        fputs(": ", f);
        export_text(f, entry->value);
        comma = ", ";
    }
    fputs("}}", f);
}

enum err export_session(const struct exported *x, const struct db_row *row, const char *name,
                        const char **value)
{
    *value = db_session_get(x->manifest, row->session, name);
    if (!*value)
        FAIL(INPUT,
             "%s/%s/manifest.json: sessions/%s/%s is missing; add it there (`shoal db check` lists "
             "all "
             "faults)",
             x->place->device, x->place->environment, row->session, name);
    return ERR_OK;
}

double export_ms(double us)
{
    return us / 1000;
}

double export_cost(const struct db_row *row, enum db_number cost)
{
    return isnan(row->number[cost]) ? 0 : row->number[cost];
}

int export_column(const struct db_group *g, int k)
{
    for (; k < DB_NUMBERS; k++) {
        size_t known = 0;
        if ((k >= DB_MIN && k <= DB_MAX) || (k >= DB_COMPILE_COST && k <= DB_MEASURE_COST))
            continue;
        while (known < g->ok && !isnan(g->row[known].number[k]))
            known++;
        if (g->ok && known == g->ok)
            break;
    }
    return k;
}
