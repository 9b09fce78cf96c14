/* Describes the resulting edges in the syntax of the options. */
#include "core/problem/edges_parts.h"

#include <stdio.h>

enum { CHOICE_TEXT = 2 * FILE_LENGTH };

static double across(const struct edge_state *q, enum edge e)
{
    return edge_is_vertical(e) ? q->hu : q->hv;
}

static void describe_state(FILE *f, enum edge e, enum boundary kind, const struct edge_state *q,
                           double rise)
{
    switch (kind) {
    case WALL:
        fputs("wall", f);
        break;
    case OPEN:
        fputs("open", f);
        break;
    case PERIODIC:
        fputs("periodic", f);
        if (rise < 0 || rise > 0)
            fprintf(f, ":%.17g", edge_sign(e) * rise);
        break;
    case DISCHARGE:
        fprintf(f, "discharge:%.17g", edge_sign(e) * across(q, e));
        break;
    case DEPTH:
        fprintf(f, "depth:%.17g", q->h);
        break;
    case LEVEL:
        fprintf(f, "level:%.17g", q->h);
        break;
    case WAVE:
        fprintf(f, "wave:%.17g", q->h);
        break;
    case STATE:
        fprintf(f, "state: h=%.17g hu=%.17g hv=%.17g", q->h, q->hu, q->hv);
        break;
    case SUPPLY:
        fprintf(f, "sand:%.17g,mud:%.17g", q->in[0], q->in[1]);
        break;
    case LOSS:
        fprintf(f, "sediment:%.17g", q->in[0]);
        break;
    case NEIGHBOUR: /* no edge of a domain */
        break;
    }
    if (q->c > 0)
        fprintf(f, ",c=%.17g", q->c);
}

static void describe_series(FILE *f, const struct timeseries *series)
{
    if (series)
        fprintf(f, " (%d rows, sha256 %s...)", series->rows, series->hash);
}

enum err edges_describe(const struct setup *s, enum edge e, char **text)
{
    char choice[CHOICE_TEXT];
    size_t size;
    int besides = 0; /* some cells still show the whole edge's condition */
    FILE *f = open_memstream(text, &size);
    if (!f)
        FAIL(MEMORY, "no memory to describe the edges");
    for (int k = 0; k < edge_length(s, e) && !besides; k++)
        besides = edge_segment_at(s, e, k) == NULL;
    if (besides)
        describe_state(f, e, s->boundary[e], &s->edge[e], s->rise[edge_is_vertical(e) ? 0 : 1][0]);
    for (int k = 0; k < s->segment_count; k++) {
        const struct edge_segment *const g = &s->segments[k];
        if (g->edge != e)
            continue;
        fputs(besides ? "; " : "", f);
        besides = 1;
        if (g->choice < 0) {
            describe_state(f, e, g->kind, &g->given, 0);
            fprintf(f, " in cells %d to %d", g->first, g->end - 1);
            continue;
        }
        edge_option_print(s->config, &s->config->boundary.of[g->choice], choice, sizeof choice);
        fputs(choice, f);
        describe_series(f, g->series);
        describe_series(f, g->mud);
    }
    if (fclose(f) != 0)
        FAIL(MEMORY, "no memory to describe the edges");
    return ERR_OK;
}
