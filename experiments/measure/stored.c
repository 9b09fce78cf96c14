/* The existing rows of an experiment's table in an environment. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/decimal.h"
#include "experiments/measure/measure_parts.h"

/* The table's columns for them; a point's come first. */
struct columns {
    int session, outcome, wall, rate, error;
    int point; /* how many are the point's */
};

/* A table itself shows which columns of enum told its points have. */
static unsigned told_by(const struct db_cells *t)
{
    const unsigned graphs = db_cells_column(t, "graphs") >= 0 ? TELLS_GRAPHS : 0;
    return graphs | (db_cells_column(t, "options") >= 0 ? TELLS_OPTIONS : 0);
}

static enum err check_columns(const struct db_cells *t, const char *path,
                              const struct measure_kind *kind)
{
    char names[DB_LINE], *next = names;
    int k = 0;
    measure_header(kind, told_by(t), names);
    for (const char *name = strsep(&next, "\t"); name; name = strsep(&next, "\t"), k++)
        if (k >= t->columns || strcmp(db_cells_at(t, 0, k), name) != 0)
            FAIL(INPUT,
                 "%s: column %d of kind '%s' is '%s', and here '%s': another Shoal made it, or "
                 "somebody edited it; restore it, or move it away and measure again",
                 path, k + 1, kind->name, name, k < t->columns ? db_cells_at(t, 0, k) : "none");
    if (k < t->columns)
        FAIL(INPUT,
             "%s: kind '%s' has no column '%s'; restore it, or move it away and measure again",
             path, kind->name, db_cells_at(t, 0, k));
    return ERR_OK;
}

static struct columns find_columns(const struct db_cells *t)
{
    return (struct columns){
        .session = db_cells_column(t, "session"),
        .outcome = db_cells_column(t, "outcome"),
        .wall = db_cells_column(t, "wall_s"),
        .rate = db_cells_column(t, "mcells_per_s"),
        .error = db_cells_column(t, "l1"),
        .point = db_cells_column(t, "run") + 1,
    };
}

/* NAN where there is none. */
static double number(const struct db_cells *t, size_t row, int column)
{
    return column < 0 ? (double)NAN : decimal_read(db_cells_at(t, row, column));
}

static void fill_row(struct stored_row *r, const struct db_cells *t, size_t row,
                     const struct columns *c)
{
    size_t n = 0;
    for (int k = 0; k < c->point && n < sizeof r->key; k++)
        n += (size_t)snprintf(r->key + n, sizeof r->key - n, "%s%s", k ? "\t" : "",
                              k == AT_NY ? "0" : db_cells_at(t, row, k));
    r->at = row;
    r->session = db_cells_at(t, row, c->session);
    r->ok = strcmp(db_cells_at(t, row, c->outcome), db_outcomes[DB_OK]) == 0;
    r->wall = number(t, row, c->wall);
    r->rate = number(t, row, c->rate);
    r->error = number(t, row, c->error);
}

static int by_key(const void *a, const void *b)
{
    const struct stored_row *x = a, *y = b;
    return strcmp(x->key, y->key);
}

/* Rows of a point stay in the order of the table. */
static int in_order(const void *a, const void *b)
{
    const struct stored_row *x = a, *y = b;
    const int order = by_key(a, b);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

enum err stored_read(struct stored *s, const char *path, const struct measure_kind *kind)
{
    *s = (struct stored){0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return ERR_OK;
    TRY(db_cells_read(path, &s->table));
    const enum err e = check_columns(&s->table, path, kind);
    if (e) {
        stored_free(s);
        return e;
    }
    const struct columns c = find_columns(&s->table);
    s->row = calloc(s->table.rows, sizeof *s->row);
    if (!s->row) {
        stored_free(s);
        FAIL(MEMORY, "no memory for the rows of %s", path);
    }
    s->count = s->table.rows - 1;
    for (size_t k = 0; k < s->count; k++)
        fill_row(&s->row[k], &s->table, k + 1, &c);
    qsort(s->row, s->count, sizeof *s->row, in_order);
    return ERR_OK;
}

double stored_number(const struct stored *s, const struct stored_row *r, const char *column)
{
    return number(&s->table, r->at, db_cells_column(&s->table, column));
}

void stored_free(struct stored *s)
{
    free(s->row);
    db_cells_free(&s->table);
    *s = (struct stored){0};
}

/* The first of *count consecutive rows of a point's repetition. */
static const struct stored_row *rows_of(const struct stored *s, const struct point *p, int run,
                                        size_t *count)
{
    struct point other = *p;
    struct stored_row wanted = {.session = NULL};
    other.run = run;
    measure_cells(&other, 0, wanted.key);
    const struct stored_row *end = s->row + s->count;
    const struct stored_row *first =
        s->count ? bsearch(&wanted, s->row, s->count, sizeof *s->row, by_key) : NULL;
    while (first && first > s->row && by_key(first - 1, &wanted) == 0)
        first--;
    for (*count = 0; first && first + *count < end && by_key(first + *count, &wanted) == 0;)
        ++*count;
    return first;
}

const struct stored_row *stored_find(const struct stored *s, const struct point *p, int run,
                                     const char *session)
{
    size_t count;
    const struct stored_row *r = rows_of(s, p, run, &count);
    for (size_t k = 0; k < count; k++)
        if (!session || strcmp(r[k].session, session) == 0)
            return &r[k];
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

int stored_lacks_everywhere(const struct stored *s, const struct point *p, double enough)
{
    size_t count;
    if (stored_find(s, p, p->run, NULL))
        return 0;
    const struct stored_row *r = rows_of(s, p, 1, &count);
    for (size_t k = 0; k < count; k++)
        if (!stored_lacks(s, p, r[k].session, enough))
            return 0;
    return 1;
}
