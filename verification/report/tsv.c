/* Tab separated files in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verification/report/report_parts.h"

static enum err read_text(const char *path, char **text)
{
    FILE *f = fopen(path, "r");
    size_t used = 0, room = 1 << 16, got;
    if (!f)
        FAIL(INPUT, "cannot read '%s': %s: run `shoal verify` first", path, strerror(errno));
    *text = malloc(room + 1);
    while (*text && (got = fread(*text + used, 1, room - used, f)) > 0) {
        used += got;
        if (used < room)
            continue;
        room *= 2;
        char *more = realloc(*text, room + 1);
        if (!more)
            free(*text);
        *text = more;
    }
    const int error = ferror(f) ? errno : 0;
    fclose(f);
    if (!*text)
        FAIL(MEMORY, "no memory to read '%s'", path);
    (*text)[used] = '\0';
    if (error)
        FAIL(INPUT, "cannot read '%s': %s", path, strerror(error));
    return ERR_OK;
}

static int count(const char *s, const char *end, char c)
{
    int n = 0;
    for (; s < end; s++)
        n += *s == c;
    return n;
}

/* Cuts the text at tabs and line ends. Lines may be shorter or longer than the header. */
static void split(struct table *t)
{
    char *line = t->text;
    for (int row = -1; row < t->rows; row++) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        char **cell = t->cell + (size_t)(row + 1) * (size_t)t->columns;
        for (int k = 0; k < t->columns; k++) {
            char *tab = line + strcspn(line, "\t");
            cell[k] = line;
            line = *tab ? tab + 1 : tab;
            *tab = '\0';
        }
        line = next;
    }
}

/* Puts the columns in the order of `names`. */
static enum err arrange(struct table *t, const char *path, const char *const *names)
{
    int columns = 0, from[64];
    for (; names[columns]; columns++) {
        for (from[columns] = 0; from[columns] < t->columns; from[columns]++)
            if (strcmp(table_at(t, -1, from[columns]), names[columns]) == 0)
                break;
        if (from[columns] == t->columns)
            FAIL(INPUT, "'%s' has no column '%s' in its first line: run `shoal verify` again", path,
                 names[columns]);
    }
    char **cell = malloc((size_t)(t->rows + 1) * (size_t)columns * sizeof *cell);
    if (!cell)
        FAIL(MEMORY, "no memory to read '%s'", path);
    for (size_t row = 0; row <= (size_t)t->rows; row++)
        for (size_t k = 0; k < (size_t)columns; k++)
            cell[row * (size_t)columns + k] = t->cell[row * (size_t)t->columns + (size_t)from[k]];
    free(t->cell);
    t->cell = cell;
    t->columns = columns;
    return ERR_OK;
}

enum err table_read(struct table *t, const char *path, const char *const *names)
{
    *t = (struct table){0};
    TRY(read_text(path, &t->text));
    const char *end = t->text + strlen(t->text);
    const int lines = count(t->text, end, '\n') + (end > t->text && end[-1] != '\n');
    if (lines == 0)
        FAIL(INPUT, "'%s' is empty: run `shoal verify` again", path);
    t->columns = count(t->text, t->text + strcspn(t->text, "\n"), '\t') + 1;
    t->cell = calloc((size_t)lines * (size_t)t->columns, sizeof *t->cell);
    if (!t->cell)
        FAIL(MEMORY, "no memory to read '%s'", path);
    t->rows = lines - 1;
    split(t);
    return names ? arrange(t, path, names) : ERR_OK;
}

void table_free(struct table *t)
{
    free(t->text);
    free(t->cell);
    *t = (struct table){0};
}

const char *table_at(const struct table *t, int row, int column)
{
    return t->cell[(size_t)(row + 1) * (size_t)t->columns + (size_t)column];
}

int table_int(const struct table *t, int row, int column)
{
    return (int)strtol(table_at(t, row, column), NULL, 10);
}

/* Moves row `from` up to `to`, others down. */
static void lift_row(struct table *t, int from, int to)
{
    const size_t width = (size_t)t->columns, bytes = width * sizeof *t->cell;
    char **target = t->cell + (size_t)(to + 1) * width, *row[64];
    memcpy(row, t->cell + (size_t)(from + 1) * width, bytes);
    memmove(target + width, target, (size_t)(from - to) * bytes);
    memcpy(target, row, bytes);
}

void table_sort(struct table *t, int column)
{
    for (int row = 1; row < t->rows; row++) {
        const char *text = table_at(t, row, column);
        int k = row;
        while (k > 0 && strcmp(table_at(t, k - 1, column), text) > 0)
            k--;
        if (k < row)
            lift_row(t, row, k);
    }
}

struct rows rows_with(const struct table *t, int column, const char *text)
{
    struct rows found = {0, 0};
    while (found.first < t->rows && strcmp(table_at(t, found.first, column), text) != 0)
        found.first++;
    if (found.first == t->rows)
        return (struct rows){0, 0};
    found.end = found.first;
    while (found.end < t->rows && strcmp(table_at(t, found.end, column), text) == 0)
        found.end++;
    return found;
}
