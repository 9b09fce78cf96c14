/* Answers questions about the rows of tables. */
#include "plots/data/facts_query.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sorted.h"
#include "plots/data/frame_group.h"

enum { CONDITIONS_ROOM = 2048, PART_ROOM = 128 };

/* A question, taken apart. */
struct question {
    const char *function;
    const struct frame *frame;
    const char *table; /* its name */
    char column[PART_ROOM], by[PART_ROOM], conditions[CONDITIONS_ROOM];
    struct frame_where where;
    int value; /* the column whose numbers count */
};

static void unknown(struct asked *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void unknown(struct asked *a, const char *fmt, ...)
{
    va_list ap;
    if (*a->why)
        return;
    va_start(ap, fmt);
    vsnprintf(a->why, sizeof a->why, fmt, ap);
    va_end(ap);
}

/* The text from `begin` to `end`, without blanks round it. */
static enum err take(char part[PART_ROOM], const char *begin, const char *end)
{
    begin += strspn(begin, " ");
    size_t length = end > begin ? (size_t)(end - begin) : 0;
    while (length && begin[length - 1] == ' ')
        length--;
    if (length >= PART_ROOM)
        FAIL(USAGE, "'%.*s' is too long", (int)length, begin);
    memcpy(part, begin, length);
    part[length] = '\0';
    return ERR_OK;
}

static int is_where(const struct question *q)
{
    return strncmp(q->function, "where_", 6) == 0;
}

/* Takes what stands before the first bar: COLUMN, or COLUMN: BY. */
static enum err take_columns(struct question *q, const char *begin, const char *end)
{
    const char *colon = memchr(begin, ':', (size_t)(end - begin));
    TRY(take(q->column, begin, colon ? colon : end));
    if (colon)
        TRY(take(q->by, colon + 1, end));
    if (is_where(q) ? !*q->column || !*q->by : colon || !*q->column)
        FAIL(USAGE, "%s(%s) is wanted", q->function,
             is_where(q) ? "COLUMN: BY | conditions" : "COLUMN | conditions");
    if (strpbrk(q->column, ", ") || strpbrk(q->by, ", "))
        FAIL(USAGE,
             "'%.*s' is no column; the least of several values is least(a, b), the largest "
             "most(a, b)",
             (int)(end - begin), begin);
    return ERR_OK;
}

/* The table that a column is of: "TABLE.COLUMN", else the first one. */
static enum err find_table(const struct asked *a, struct question *q)
{
    char *dot = strchr(q->column, '.');
    q->frame = NULL;
    for (int k = 0; k < a->tables->count && !q->frame; k++) {
        const struct plot_table *t = &a->tables->at[k];
        if (dot && (strncmp(t->name, q->column, (size_t)(dot - q->column)) != 0 ||
                    t->name[dot - q->column]))
            continue;
        q->frame = &t->frame;
        q->table = t->name;
    }
    if (!q->frame && dot)
        FAIL(USAGE, "no section [data] has 'name = %.*s'", (int)(dot - q->column), q->column);
    if (!q->frame)
        FAIL(USAGE, "there are no rows to ask: the experiment has no section [data]");
    if (dot)
        memmove(q->column, dot + 1, strlen(dot));
    return ERR_OK;
}

/* Puts values for {facts}; 0 for one that is not known: the conditions can still be read. */
static enum err put_facts(struct asked *a, const char *text, char *filled, int *known)
{
    const char *end = filled + CONDITIONS_ROOM - VALUE_TEXT - 1;
    for (; *text; text++) {
        if (filled >= end)
            FAIL(USAGE, "the conditions are too long");
        if (*text != '{') {
            *filled++ = *text;
            continue;
        }
        const size_t length = strcspn(++text, "}");
        const struct fact *fact = facts_find(a->facts, text, length);
        if (!fact || !text[length])
            FAIL(USAGE, "'{%.*s' is no {fact} of those above", (int)length + 1, text);
        if (!fact->value.known)
            unknown(a, "%s: %s", fact->name, fact->missing);
        *known = *known && fact->value.known;
        filled += value_is_word(&fact->value)
                      ? snprintf(filled, VALUE_TEXT + 1, "%s", fact->value.text)
                      : snprintf(filled, VALUE_TEXT + 1, "%.9g",
                                 fact->value.known ? fact->value.number : 0);
        text += length;
    }
    *filled = '\0';
    return ERR_OK;
}

static size_t count_rows(const struct question *q, const struct frame_where *where)
{
    size_t n = 0;
    for (size_t r = 0; r < q->frame->rows; r++)
        n += (size_t)frame_holds(q->frame, r, where);
    return n;
}

/* Says which condition left no row, if one did. */
static int is_empty(struct asked *a, const struct question *q)
{
    struct frame_where some = q->where;
    if (count_rows(q, &q->where))
        return 0;
    for (some.count = 1; some.count < q->where.count; some.count++)
        if (!count_rows(q, &some))
            break;
    const int last = some.count - 1;
    unknown(a, "no row of '%s' has %s%s%s%s", q->table,
            q->frame->name[q->where.condition[last].column], q->where.condition[last].relation,
            q->where.condition[last].text,
            last ? " among those for which the conditions before it hold" : "");
    return 1;
}

/* The column's numbers where the conditions hold, in the order of rows; the caller frees them. */
static enum err collect(const struct question *q, double **x, size_t *count)
{
    *count = 0;
    *x = calloc(q->frame->rows + 1, sizeof **x);
    if (!*x)
        FAIL(MEMORY, "no memory for %zu numbers", q->frame->rows);
    for (size_t r = 0; r < q->frame->rows; r++) {
        if (!frame_holds(q->frame, r, &q->where))
            continue;
        const double number = frame_number(q->frame, r, q->value);
        if (!isnan(number))
            (*x)[(*count)++] = number;
        else if (strcmp(frame_at(q->frame, r, q->value), "-") != 0) {
            free(*x);
            *x = NULL;
            FAIL(USAGE, "%s of '%s' holds '%s', which is no number", q->frame->name[q->value],
                 q->table, frame_at(q->frame, r, q->value));
        }
    }
    return ERR_OK;
}

static double sum(const double *x, size_t n)
{
    double total = 0;
    for (size_t k = 0; k < n; k++)
        total += x[k];
    return total;
}

static double statistic(const char *function, double *x, size_t n)
{
    if (strcmp(function, "sum") == 0)
        return sum(x, n);
    if (strcmp(function, "mean") == 0)
        return sum(x, n) / (double)n;
    const double median = sorted_median(x, n);
    if (strcmp(function, "min") == 0)
        return x[0];
    return strcmp(function, "max") == 0 ? x[n - 1] : median;
}

static enum err ask_numbers(struct asked *a, const struct question *q, struct value *v)
{
    double *x;
    size_t n;
    TRY(collect(q, &x, &n));
    if (n)
        value_set_number(v, statistic(q->function, x, n));
    else
        unknown(a, "%s is '-' in all rows of '%s' for which the conditions hold", q->column,
                q->table);
    free(x);
    return ERR_OK;
}

static enum err ask_cells(struct asked *a, const struct question *q, struct value *v)
{
    const int counting = strcmp(q->function, "count") == 0;
    size_t n = 0;
    for (size_t r = 0; r < q->frame->rows; r++) {
        if (!frame_holds(q->frame, r, &q->where))
            continue;
        const char *cell = frame_at(q->frame, r, q->value);
        if (!counting) {
            value_set_cell(v, cell);
            if (!v->known)
                unknown(a, "%s is '-' in the row of '%s' that is asked for", q->column, q->table);
            return ERR_OK;
        }
        n += strcmp(cell, "-") != 0;
    }
    value_set_number(v, (double)n);
    return ERR_OK;
}

/* The first of the groups with the least (or largest) median. */
static void best_group(const struct question *q, const struct frame_groups *g, int column,
                       double *x, struct value *v)
{
    const int most = strcmp(q->function, "where_most") == 0;
    double best = (double)NAN;
    for (size_t k = 0; k < g->count; k++) {
        const char *cell = frame_at(q->frame, g->row[g->first[k]], column);
        const size_t n = frame_group_numbers(q->frame, g, k, q->value, x);
        if (!n || strcmp(cell, "-") == 0)
            continue;
        const double median = sorted_median(x, n);
        if (isnan(best) || (most ? median > best : median < best)) {
            best = median;
            value_set_cell(v, cell);
        }
    }
}

static enum err ask_groups(struct asked *a, const struct question *q, struct value *v)
{
    struct frame_columns columns = {.count = 1};
    struct frame_groups groups = {0};
    double *x = NULL;
    size_t n;
    enum err e;
    TRY_OUT(frame_find(q->frame, q->column, &columns.at[0]));
    TRY_OUT(collect(q, &x, &n));
    TRY_OUT(frame_groups_create(q->frame, &columns, &q->where, &groups));
    best_group(q, &groups, columns.at[0], x, v);
    if (!v->known)
        unknown(a, "no row of '%s' for which the conditions hold has both %s and %s", q->table,
                q->column, q->by);
out:
    frame_groups_free(&groups);
    free(x);
    return e;
}

enum err facts_query(struct asked *a, const char *function, const char *inside, struct value *v)
{
    struct question q = {.function = function};
    const char *bar = strchrnul(inside, '|');
    int known = 1;
    value_unknown(v);
    TRY(take_columns(&q, inside, bar));
    TRY(find_table(a, &q));
    TRY(put_facts(a, *bar ? bar + 1 : "", q.conditions, &known));
    if (q.frame->rows == 0) {
        unknown(a, "there are no rows in '%s'", q.table);
        return ERR_OK;
    }
    TRY(frame_find(q.frame, is_where(&q) ? q.by : q.column, &q.value));
    TRY(frame_where(q.frame, q.conditions, &q.where));
    if (!known)
        return ERR_OK;
    if (strcmp(function, "count") == 0)
        return ask_cells(a, &q, v);
    if (is_empty(a, &q))
        return ERR_OK;
    if (is_where(&q))
        return ask_groups(a, &q, v);
    return strcmp(function, "first") == 0 ? ask_cells(a, &q, v) : ask_numbers(a, &q, v);
}
