#include "core/db/row_origin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/log.h"

struct row_origin row_origin_of(enum db_match match, const struct db_manifest *m,
                                const char *session)
{
    struct row_origin o = {.match = match, .age = db_age_of(m, session)};
    snprintf(o.session, sizeof o.session, "%s", session);
    return o;
}

int row_origin_compare(const struct row_origin *a, const struct row_origin *b)
{
    if (a->match != b->match)
        return a->match < b->match ? -1 : 1;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    const int order = db_age_compare(&b->age, &a->age), session = strcmp(a->session, b->session);
    return order ? order : session ? session : a->nx != b->nx ? a->nx - b->nx : a->ny - b->ny;
}

double row_number(const char *text)
{
    const double x = decimal_read(text);
    return x > 0 ? x : (double)NAN;
}

static enum err read_table(void *context, const char *path, enum db_match match,
                           const struct db_manifest *m)
{
    const struct named_rows *wanted = context;
    struct db_cells t;
    int column[MOST_NAMED];
    if (db_cells_read(path, &t)) {
        if (!wanted->again)
            log_warning("%s; this file is left out", err_message());
        return ERR_OK;
    }
    for (int k = 0; k < wanted->columns; k++) {
        column[k] = db_cells_column(&t, wanted->names[k]);
        if (column[k] < 0) {
            if (!wanted->again)
                log_warning("%s: it has no column '%s'; this file is left out", path,
                            wanted->names[k]);
            goto out;
        }
    }
    for (size_t row = 1; row < t.rows; row++) {
        const char *cell[MOST_NAMED];
        for (int k = 0; k < wanted->columns; k++)
            cell[k] = db_cells_at(&t, row, column[k]);
        wanted->row(wanted->context, match, m, path, cell);
    }
out:
    db_cells_free(&t);
    return ERR_OK;
}

enum err named_rows_read(struct db_view *v, const char *experiment, const struct named_rows *wanted)
{
    struct named_rows copy = *wanted;
    return db_view_experiments(v, experiment, read_table, &copy);
}
