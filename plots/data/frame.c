/* Tables in memory: cells as text in one arena, rows of equal length one after the other. */
#include "plots/data/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "core/base/decimal.h"

enum { CHUNK = 1 << 16 };

struct chunk {
    struct chunk *next;
    size_t used, room;
    char text[];
};

static char unknown[] = "-";

static enum err no_memory(void)
{
    FAIL(MEMORY, "no memory for a table");
}

/* A copy that stands in a line of cells: an empty one is not known, control characters are blanks. */
static enum err copy(struct frame *f, const char *text, char **kept)
{
    const size_t n = strlen(text) + 1;
    struct chunk *c = f->arena;
    if (n == 1) {
        *kept = unknown;
        return ERR_OK;
    }
    if (!c || c->room - c->used < n) {
        const size_t room = n > CHUNK ? n : CHUNK;
        c = malloc(sizeof *c + room);
        if (!c)
            return no_memory();
        *c = (struct chunk){.next = f->arena, .room = room};
        f->arena = c;
    }
    *kept = memcpy(c->text + c->used, text, n);
    c->used += n;
    for (char *p = *kept; *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
    return ERR_OK;
}

static char **cell_at(const struct frame *f, size_t row, int column)
{
    return &f->cell[row * (size_t)f->column_room + (size_t)column];
}

/* Makes room for at least that many columns and rows; cells keep their places. */
static enum err reserve(struct frame *f, int columns, size_t rows)
{
    const int width = columns > f->column_room ? 2 * columns : f->column_room;
    const size_t height = rows > f->row_room ? 2 * rows : f->row_room;
    if (width == f->column_room && height == f->row_room)
        return ERR_OK;
    char **name = calloc((size_t)width + 1, sizeof *name);
    char **cell = calloc(height * (size_t)width + 1, sizeof *cell);
    if (!name || !cell) {
        free(name);
        free(cell);
        return no_memory();
    }
    for (int k = 0; k < f->columns; k++)
        name[k] = f->name[k];
    for (size_t r = 0; r < f->rows; r++)
        for (int k = 0; k < f->columns; k++)
            cell[r * (size_t)width + (size_t)k] = *cell_at(f, r, k);
    free(f->name);
    free(f->cell);
    f->name = name;
    f->cell = cell;
    f->column_room = width;
    f->row_room = height;
    return ERR_OK;
}

enum err frame_create(struct frame *f, const char *columns)
{
    char *names = strdup(columns), *next = names;
    enum err e = names ? ERR_OK : no_memory();
    *f = (struct frame){0};
    for (char *p = strsep(&next, "\t"); p && !e; p = strsep(&next, "\t"))
        e = frame_add_column(f, p, unknown, NULL);
    free(names);
    if (e)
        frame_free(f);
    return e;
}

void frame_free(struct frame *f)
{
    struct chunk *c = f->arena;
    while (c) {
        struct chunk *next = c->next;
        free(c);
        c = next;
    }
    free(f->name);
    free(f->cell);
    *f = (struct frame){0};
}

int frame_column(const struct frame *f, const char *name)
{
    for (int k = 0; k < f->columns; k++)
        if (strcmp(f->name[k], name) == 0)
            return k;
    return -1;
}

const char *frame_at(const struct frame *f, size_t row, int column)
{
    return *cell_at(f, row, column);
}

double frame_number(const struct frame *f, size_t row, int column)
{
    return column < 0 ? (double)NAN : decimal_read(frame_at(f, row, column));
}

enum err frame_add_row(struct frame *f)
{
    TRY(reserve(f, f->columns, f->rows + 1));
    for (int k = 0; k < f->columns; k++)
        *cell_at(f, f->rows, k) = unknown;
    f->rows++;
    return ERR_OK;
}

enum err frame_add_column(struct frame *f, const char *name, const char *text, int *column)
{
    char *kept;
    if (!*name || frame_column(f, name) >= 0)
        FAIL(USAGE, "a table cannot have %s column '%s'", *name ? "another" : "a", name);
    TRY(reserve(f, f->columns + 1, f->rows));
    TRY(copy(f, name, &f->name[f->columns]));
    TRY(copy(f, text, &kept));
    for (size_t r = 0; r < f->rows; r++)
        *cell_at(f, r, f->columns) = kept;
    if (column)
        *column = f->columns;
    f->columns++;
    return ERR_OK;
}

enum err frame_set(struct frame *f, size_t row, int column, const char *text)
{
    return copy(f, text, cell_at(f, row, column));
}

enum err frame_set_number(struct frame *f, size_t row, int column, double x)
{
    char text[32] = "-";
    if (isfinite(x))
        snprintf(text, sizeof text, "%.9g", x == 0 ? 0 : x); /* not -0 */
    return frame_set(f, row, column, text);
}

enum err frame_append(struct frame *f, const struct frame *more)
{
    const size_t before = f->rows;
    for (int k = 0; k < more->columns; k++)
        if (frame_column(f, more->name[k]) < 0)
            TRY(frame_add_column(f, more->name[k], unknown, NULL));
    TRY(reserve(f, f->columns, before + more->rows));
    for (size_t r = 0; r < more->rows; r++)
        TRY(frame_add_row(f));
    for (int k = 0; k < more->columns; k++) {
        const int column = frame_column(f, more->name[k]);
        for (size_t r = 0; r < more->rows; r++)
            TRY(frame_set(f, before + r, column, frame_at(more, r, k)));
    }
    return ERR_OK;
}

/* A row on its way to its place. */
struct moved {
    char **cell;
    const char *text;
    double x; /* NAN: not known */
    size_t was;
};

static int by_place(const struct moved *a, const struct moved *b)
{
    return (a->was > b->was) - (a->was < b->was);
}

static int by_text(const void *a, const void *b)
{
    const struct moved *l = a, *r = b;
    const int order = strcmp(l->text, r->text);
    return order ? order : by_place(l, r);
}

/* What is not known comes last. */
static int by_number(const void *a, const void *b)
{
    const struct moved *l = a, *r = b;
    if (isnan(l->x) || isnan(r->x))
        return isnan(l->x) == isnan(r->x) ? by_place(l, r) : isnan(l->x) ? 1 : -1;
    return l->x != r->x ? (l->x > r->x) - (l->x < r->x) : by_place(l, r);
}

enum err frame_sort(struct frame *f, int column)
{
    int numbers = 1;
    if (f->rows < 2)
        return ERR_OK;
    struct moved *row = calloc(f->rows, sizeof *row);
    char **sorted = calloc(f->row_room * (size_t)f->column_room, sizeof *sorted);
    if (!row || !sorted) {
        free(row);
        free(sorted);
        return no_memory();
    }
    for (size_t r = 0; r < f->rows; r++) {
        row[r] = (struct moved){.cell = cell_at(f, r, 0),
                                .text = frame_at(f, r, column),
                                .x = frame_number(f, r, column),
                                .was = r};
        numbers &= !isnan(row[r].x) || strcmp(row[r].text, unknown) == 0;
    }
    qsort(row, f->rows, sizeof *row, numbers ? by_number : by_text);
    for (size_t r = 0; r < f->rows; r++)
        memcpy(sorted + r * (size_t)f->column_room, row[r].cell,
               (size_t)f->columns * sizeof *sorted);
    free(row);
    free(f->cell);
    f->cell = sorted;
    return ERR_OK;
}

enum err frame_find(const struct frame *f, const char *name, int *column)
{
    struct catalog known = {0};
    *column = frame_column(f, name);
    if (*column >= 0)
        return ERR_OK;
    for (int k = 0; k < f->columns; k++)
        catalog_add(&known, f->name[k]);
    return catalog_unknown(&known, "column", name, NULL);
}

static enum err read_condition(const struct frame *f, char *word, struct frame_where *where)
{
    static const char *const relations[] = {"!=", "<=", ">=", "=", "<", ">"};
    const size_t name = strcspn(word, "=!<>");
    const char *relation = NULL;
    for (int k = 0; k < 6 && !relation; k++)
        if (strncmp(word + name, relations[k], strlen(relations[k])) == 0)
            relation = relations[k];
    const char *text = relation ? word + name + strlen(relation) : "";
    if (!name || !*text || strchr("=!<>", *text))
        FAIL(USAGE,
             "'%s' is no condition: it is column=text, column=one|other, column!=text, or "
             "column<number, also with <=, > and >=",
             word);
    if (where->count == FRAME_CONDITIONS || strlen(text) >= sizeof where->condition[0].text)
        FAIL(USAGE, "'%s': %d conditions with texts of %zu characters can stand here", word,
             FRAME_CONDITIONS, sizeof where->condition[0].text - 1);
    if (strchr("<>", *relation) && isnan(decimal_read(text)))
        FAIL(USAGE, "'%s': after %s a number is wanted, not '%s'", word, relation, text);
    strcpy(where->condition[where->count].relation, relation);
    strcpy(where->condition[where->count].text, text);
    word[name] = '\0';
    return frame_find(f, word, &where->condition[where->count++].column);
}

enum err frame_where(const struct frame *f, const char *text, struct frame_where *where)
{
    char *words = strdup(text), *next = words;
    enum err e = words ? ERR_OK : no_memory();
    where->count = 0;
    for (char *word = strsep(&next, " \t"); word && !e; word = strsep(&next, " \t"))
        if (*word)
            e = read_condition(f, word, where);
    free(words);
    return e;
}

static int is_same(const char *cell, const char *text)
{
    const double a = decimal_read(cell), b = decimal_read(text);
    return strcmp(cell, text) == 0 || (!isnan(a) && !isnan(b) && a == b);
}

/* Is the cell one of "a|b"? */
static int is_one_of(const char *cell, const char *texts)
{
    char one[sizeof((struct frame_where *)0)->condition[0].text];
    for (const char *p = texts;; p++) {
        const size_t n = strcspn(p, "|");
        snprintf(one, sizeof one, "%.*s", (int)n, p);
        if (is_same(cell, one))
            return 1;
        p += n;
        if (!*p)
            return 0;
    }
}

int frame_holds(const struct frame *f, size_t row, const struct frame_where *where)
{
    for (int k = 0; k < where->count; k++) {
        const char *relation = where->condition[k].relation, *text = where->condition[k].text,
                   *cell = frame_at(f, row, where->condition[k].column);
        const double x = decimal_read(cell), limit = decimal_read(text);
        int holds;
        if (*relation == '<')
            holds = relation[1] ? x <= limit : x < limit;
        else if (*relation == '>')
            holds = relation[1] ? x >= limit : x > limit;
        else
            holds = is_one_of(cell, text) == (*relation == '=');
        if (!holds)
            return 0;
    }
    return 1;
}

void frame_keep_rows(struct frame *f, const char *wanted)
{
    size_t kept = 0;
    for (size_t r = 0; r < f->rows; r++) {
        if (!wanted[r])
            continue;
        if (kept != r && f->columns)
            memcpy(cell_at(f, kept, 0), cell_at(f, r, 0), (size_t)f->columns * sizeof *f->cell);
        kept++;
    }
    f->rows = kept;
}

enum err frame_keep(struct frame *f, const char *conditions)
{
    struct frame_where where;
    TRY(frame_where(f, conditions, &where));
    char *wanted = calloc(f->rows + 1, 1);
    if (!wanted)
        return no_memory();
    for (size_t r = 0; r < f->rows; r++)
        wanted[r] = frame_holds(f, r, &where) ? 1 : 0;
    frame_keep_rows(f, wanted);
    free(wanted);
    return ERR_OK;
}

void frame_write(const struct frame *f, FILE *to)
{
    for (int k = 0; k < f->columns; k++)
        fprintf(to, "%s%c", f->name[k], k + 1 < f->columns ? '\t' : '\n');
    for (size_t r = 0; r < f->rows; r++)
        for (int k = 0; k < f->columns; k++)
            fprintf(to, "%s%c", frame_at(f, r, k), k + 1 < f->columns ? '\t' : '\n');
}
