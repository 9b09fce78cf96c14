/* Checks tables with columns of their own: experiments' and published ones. */
#include "core/db/check_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/tab_cells.h"

enum { MOST_COLUMNS = 64 };

/* The state of checking a free table (an experiment's, a published one) line by line. */
struct free_table {
    int columns, session, outcome, reason; /* where they are; -1: no such column */
    int cited, explained, doubtful;        /* comments seen; the first line with a ? */
    char *before, *name[MOST_COLUMNS];
};

enum { SOURCE = 1, TABLE = 2, PAGE = 4, CITED = SOURCE | TABLE | PAGE };

static void free_header(struct check *c, int line, char **field, struct free_table *t)
{
    t->session = t->outcome = t->reason = -1;
    for (int k = 0; k < t->columns; k++) {
        if (strcmp(field[k], "session") == 0)
            t->session = k;
        if (strcmp(field[k], "outcome") == 0)
            t->outcome = k;
        if (strcmp(field[k], "reason") == 0)
            t->reason = k;
        t->name[k] = strdup(field[k]);
        if (!*field[k] || field[k][strspn(field[k], "abcdefghijklmnopqrstuvwxyz0123456789_")])
            check_fault(c, line, "column '%s': expected lower-case letters, digits and _",
                        field[k]);
    }
    if (c->place.kind == DB_EXPERIMENT && (t->session < 0 || t->outcome < 0 || t->reason < 0))
        check_fault(c, line, "expected columns session, outcome and reason");
}

static void free_row(struct check *c, int line, char **field, struct free_table *t)
{
    for (int k = 0; k < t->columns; k++) {
        if (!*field[k])
            check_fault(c, line, "column %d is empty; - is for none", k + 1);
        if (strcmp(field[k], "?") == 0 && !t->doubtful)
            t->doubtful = line;
        if (c->place.kind == DB_EXPERIMENT && *field[k] && t->name[k] &&
            !db_cells_fits(t->name[k], field[k]))
            check_fault(c, line,
                        "%s '%s': expected a number, or - for none; restore it, or measure again",
                        t->name[k], field[k]);
    }
    c->sum->rows++;
    if (c->place.kind != DB_EXPERIMENT || t->session < 0 || t->outcome < 0 || t->reason < 0)
        return;
    const int ok = strcmp(field[t->outcome], "ok") == 0;
    if (!ok && strcmp(field[t->reason], "-") == 0)
        check_fault(c, line, "outcome %s needs a reason; say what failed", field[t->outcome]);
    check_references(c, line, NULL, field[t->session]);
}

static void check_free(struct check *c, int line, char *text, void *state)
{
    struct free_table *t = state;
    char *field[MOST_COLUMNS];
    check_chomp(text);
    if (strchr(text, '\r')) {
        check_fault(c, line, "a carriage return: lines end with a newline alone");
        return;
    }
    if (*text == '#') {
        t->cited |= strncmp(text, "# source: ", 10) == 0 ? SOURCE : 0;
        t->cited |= strncmp(text, "# table: ", 9) == 0 ? TABLE : 0;
        t->cited |= strncmp(text, "# page: ", 8) == 0 ? PAGE : 0;
        t->explained |= strncmp(text, "# ?: ", 5) == 0;
        return;
    }
    if (c->place.kind == DB_EXPERIMENT && t->before && strcmp(t->before, text) >= 0)
        check_fault(c, line, "out of order, or repeated: rows are sorted as by `LC_ALL=C sort`");
    if (t->columns) {
        free(t->before);
        t->before = strdup(text);
    }
    const int n = tab_cells(text, field, MOST_COLUMNS);
    if (n > MOST_COLUMNS || (t->columns && n != t->columns)) {
        check_fault(c, line, "expected %d columns, separated by tabs, got %d",
                    t->columns ? t->columns : MOST_COLUMNS, n);
        return;
    }
    if (t->columns) {
        free_row(c, line, field, t);
        return;
    }
    t->columns = n;
    free_header(c, line, field, t);
}

void check_free_table(struct check *c)
{
    struct free_table t = {0};
    check_lines(c, check_free, &t);
    if (t.columns == 0)
        check_fault(c, 0, "it has no line of column names; add one, or delete the file");
    if (c->place.kind == DB_PUBLISHED && t.cited != CITED)
        check_fault(c, 0,
                    "expected lines that begin with '# source: ', '# table: ' and '# page: '");
    if (t.doubtful && !t.explained)
        check_fault(c, t.doubtful,
                    "a ? needs a line that begins with '# ?: ' and gives the reason");
    for (int k = 0; k < t.columns && k < MOST_COLUMNS; k++)
        free(t.name[k]);
    free(t.before);
}
