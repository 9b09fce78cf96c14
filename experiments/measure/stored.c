/* What an experiment's table in an environment has already. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/measure/measure_parts.h"

enum { KEY_TEXT = sizeof POINT_COLUMNS };

/* Which columns the table has them in. */
struct columns {
    int point[POINT_COLUMN_COUNT], session, outcome, wall, rate;
};

static enum err need(const struct db_cells *t, const char *path, const char *name, int *column)
{
    *column = db_cells_column(t, name);
    if (*column < 0)
        FAIL(INPUT,
             "%s: it has no column '%s', and was made by another Shoal: move it away and measure "
             "again",
             path, name);
    return ERR_OK;
}

static enum err find_columns(const struct db_cells *t, const char *path, struct columns *c)
{
    char names[KEY_TEXT], *next = names;
    memcpy(names, POINT_COLUMNS, sizeof names);
    for (int k = 0; k < POINT_COLUMN_COUNT; k++)
        TRY(need(t, path, strsep(&next, "\t"), &c->point[k]));
    TRY(need(t, path, "session", &c->session));
    TRY(need(t, path, "outcome", &c->outcome));
    c->wall = db_cells_column(t, "wall_s");
    c->rate = db_cells_column(t, "mcells_per_s");
    return ERR_OK;
}

/* NAN where there is none. */
static double number(const struct db_cells *t, size_t row, int column)
{
    char *end;
    const char *text = column < 0 ? "" : db_cells_at(t, row, column);
    const double x = strtod(text, &end);
    return end == text || *end ? (double)NAN : x;
}

static void fill(struct stored_row *r, const struct db_cells *t, size_t row,
                 const struct columns *c)
{
    size_t n = 0;
    for (int k = 0; k < POINT_COLUMN_COUNT && n < sizeof r->key; k++)
        n += (size_t)snprintf(r->key + n, sizeof r->key - n, "%s%s", k ? "\t" : "",
                              k == AT_NY ? "0" : db_cells_at(t, row, c->point[k]));
    r->session = db_cells_at(t, row, c->session);
    r->ok = strcmp(db_cells_at(t, row, c->outcome), db_outcomes[DB_OK]) == 0;
    r->wall = number(t, row, c->wall);
    r->rate = number(t, row, c->rate);
}

static int by_key(const void *a, const void *b)
{
    const struct stored_row *x = a, *y = b;
    return strcmp(x->key, y->key);
}

enum err stored_read(struct stored *s, const char *path)
{
    struct columns c;
    *s = (struct stored){0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return ERR_OK;
    TRY(db_cells_read(path, &s->table));
    const enum err e = find_columns(&s->table, path, &c);
    if (e) {
        stored_free(s);
        return e;
    }
    s->row = calloc(s->table.rows, sizeof *s->row);
    if (!s->row) {
        stored_free(s);
        FAIL(MEMORY, "no memory for the rows of %s", path);
    }
    s->count = s->table.rows - 1;
    for (size_t k = 0; k < s->count; k++)
        fill(&s->row[k], &s->table, k + 1, &c);
    qsort(s->row, s->count, sizeof *s->row, by_key);
    return ERR_OK;
}

void stored_free(struct stored *s)
{
    free(s->row);
    db_cells_free(&s->table);
    *s = (struct stored){0};
}

const struct stored_row *stored_find(const struct stored *s, const struct point *p, int run,
                                     const char *session)
{
    struct point other = *p;
    struct stored_row wanted = {.session = session};
    other.run = run;
    measure_cells(&other, 0, wanted.key);
    const struct stored_row *end = s->row + s->count;
    const struct stored_row *r =
        s->count ? bsearch(&wanted, s->row, s->count, sizeof *s->row, by_key) : NULL;
    while (r && r > s->row && by_key(r - 1, &wanted) == 0)
        r--;
    for (; r && r < end && by_key(r, &wanted) == 0; r++)
        if (!session || strcmp(r->session, session) == 0)
            return r;
    return NULL;
}

int stored_lacks(const struct stored *s, const struct point *p, const char *session, double enough)
{
    double spent = 0;
    if (stored_find(s, p, p->run, session))
        return 0;
    for (int run = 1; enough > 0 && run < p->run; run++) {
        const struct stored_row *r = stored_find(s, p, run, session);
        if (r && !r->ok)
            return 0;
        spent += r && r->wall > 0 ? r->wall : 0;
    }
    return !(enough > 0) || spent < enough;
}
