/* Gauges: rows read from the device when its ring is full, and written while the run continues. */
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/run/result_parts.h"

static enum err write_rows(void *context)
{
    const struct gauge_buffer *b = context;
    return ncwrite_gauge_rows(b->result->writer, b->rows.count, b->rows.t, b->rows.values);
}

static enum err take_rows(void *context)
{
    struct result *r = context;
    struct gauge_buffer *b = &r->gauge[r->gauges++ % BUFFERS];
    TRY(job_queue_wait(r->background, b));
    TRY(gauges_take(r->sim, &b->rows));
    return b->rows.count ? job_queue_add(r->background, write_rows, b) : ERR_OK;
}

/* The bed in each gauge's cell, as the kernels see it. */
static enum err write_beds(struct result *r, const struct gauge_list *list)
{
    const struct sim *s = r->sim;
    double *bed = malloc((size_t)list->count * sizeof *bed);
    if (!bed)
        FAIL(MEMORY, "no memory for %d gauges", list->count);
    for (int k = 0; k < list->count; k++) {
        const struct gauge *g = &list->gauge[k];
        bed[k] = s->turned ? initial_centre(s->initial, g->j, g->i)
                           : initial_centre(s->initial, g->i, g->j);
    }
    const enum err e = ncwrite_gauges(r->writer, list, bed);
    free(bed);
    return e;
}

enum err result_gauges_open(struct result *r)
{
    struct sim *s = r->sim;
    struct gauges *g = gauges_of(s);
    if (!g)
        return ERR_OK;
    const size_t ring = (size_t)g->ring;
    for (int k = 0; k < BUFFERS; k++) {
        struct gauge_rows *rows = &r->gauge[k].rows;
        r->gauge[k].result = r;
        rows->t = malloc(ring * sizeof *rows->t);
        rows->values = malloc(ring * gauges_row_bytes(s, g->n));
        if (!rows->t || !rows->values)
            FAIL(MEMORY, "no memory for the rows of %d gauges", g->n);
    }
    g->full = take_rows;
    g->context = r;
    log_info("%d gauge%s, every %.4g s", g->n, g->n == 1 ? "" : "s", g->every);
    return write_beds(r, s->gauge_list);
}

void result_gauges_close(struct result *r)
{
    struct gauges *g = gauges_of(r->sim);
    if (g)
        g->full = NULL;
    for (int k = 0; k < BUFFERS; k++) {
        free(r->gauge[k].rows.t);
        free(r->gauge[k].rows.values);
    }
}

enum err result_gauges_take(struct result *r)
{
    return gauges_of(r->sim) ? take_rows(r) : ERR_OK;
}
