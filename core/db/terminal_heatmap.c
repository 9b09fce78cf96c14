/* Draws the blocks of a kernel as characters. */
#include "core/db/terminal_heatmap.h"

#include <string.h>

enum { LARGEST_SIDE = 1024, MARGIN = 6, COLUMNS = 80 - MARGIN, CLASSES = 8 };

/* Upper limits of slowness relative to the winner; the darkest sign and the warmest colour first. */
static const struct {
    double below;
    char sign;
    int background, ink;
} classes[CLASSES] = {
    {1.05, '@', 226, 16}, {1.1, '%', 190, 16}, {1.2, '#', 112, 16}, {1.4, '+', 35, 16},
    {1.7, ':', 30, 231},  {2.2, '-', 25, 231}, {3, ',', 19, 231},   {1e99, '.', 17, 231},
};

static const char failures[DB_OUTCOMES] = {[DB_CONSTRAINT] = 'c',
                                           [DB_COMPILE] = 'k',
                                           [DB_LAUNCH] = 'l',
                                           [DB_WRONG_ANSWER] = 'w',
                                           [DB_TIME_OUT] = 't'};

struct map {
    const struct db_group *group;
    struct block usual;
    int colour, cell; /* characters of a cell */
    int width[LARGEST_SIDE], height[LARGEST_SIDE], widths, heights;
};

/* The distinct sides, ascending. */
static int list_sides(const struct db_group *g, int heights, int list[LARGEST_SIDE])
{
    char seen[LARGEST_SIDE + 1] = {0};
    int n = 0;
    for (size_t k = 0; k < g->count; k++) {
        const int side = heights ? g->row[k].block.h : g->row[k].block.w;
        if (side >= 1 && side <= LARGEST_SIDE)
            seen[side] = 1;
    }
    for (int side = 1; side <= LARGEST_SIDE; side++)
        if (seen[side])
            list[n++] = side;
    return n;
}

static const struct db_row *find(const struct map *m, int w, int h)
{
    return db_group_row(m->group, (struct block){w, h});
}

static int class_of(const struct map *m, const struct db_row *row)
{
    const double ratio = row->number[DB_MEDIAN] / m->group->row[0].number[DB_MEDIAN];
    int k = 0;
    while (k < CLASSES - 1 && ratio >= classes[k].below)
        k++;
    return k;
}

/* A block's mark; 0: none. */
static char mark(const struct map *m, const struct db_row *row)
{
    const int usual = row->block.w == m->usual.w && row->block.h == m->usual.h;
    if (row == m->group->row)
        return '*';
    if (db_tied(m->group->row, row))
        return usual ? 'D' : '=';
    return usual ? 'd' : 0;
}

static void print_cell(FILE *f, const struct map *m, const struct db_row *row)
{
    char text[3] = "  ";
    text[m->cell] = '\0';
    if (!row || row->outcome != DB_OK) {
        if (row)
            text[0] = failures[row->outcome];
        fputs(text, f);
        return;
    }
    const int class = class_of(m, row);
    memset(text, classes[class].sign, (size_t)m->cell);
    if (mark(m, row))
        text[m->cell - 1] = mark(m, row);
    if (m->colour)
        fprintf(f, "\033[48;5;%d;38;5;%dm%s\033[0m", classes[class].background, classes[class].ink,
                text);
    else
        fputs(text, f);
}

/* The widths from number `from` to `to`, digit under digit. */
static void print_widths(FILE *f, const struct map *m, int from, int to)
{
    int unit = 1;
    while (m->width[to - 1] >= 10 * unit)
        unit *= 10;
    for (int head = 1; unit; unit /= 10, head = 0) {
        fprintf(f, "%*s", MARGIN, head ? "h \\ w " : "");
        for (int k = from; k < to; k++) {
            const int w = m->width[k];
            fprintf(f, "%*c", m->cell, w >= unit ? '0' + w / unit % 10 : ' ');
        }
        fputc('\n', f);
    }
}

static void print_legend(FILE *f, const struct map *m)
{
    const struct db_row *best = m->group->row, *usual = find(m, m->usual.w, m->usual.h);
    fputs("  time/best:", f);
    for (int k = 0; k < CLASSES - 1; k++)
        fprintf(f, " %c <%g", classes[k].sign, classes[k].below);
    fprintf(f, " %c more\n  * winner%s %dx%d, = tied with it", classes[CLASSES - 1].sign,
            usual == best ? " and default" : "", best->block.w, best->block.h);
    if (usual != best)
        fprintf(f, ", d default %dx%d (D: tied)%s", m->usual.w, m->usual.h,
                usual ? "" : ": not tried");
    fputc('\n', f);
}

static void print_failures(FILE *f, const struct db_group *g)
{
    size_t counts[DB_OUTCOMES] = {0};
    int first = 1;
    for (size_t k = 0; k < g->count; k++)
        counts[g->row[k].outcome]++;
    for (int k = DB_OK + 1; k < DB_OUTCOMES; k++) {
        if (!counts[k])
            continue;
        fprintf(f, "%s%c %s", first ? "  failed: " : ", ", failures[k], db_outcomes[k]);
        first = 0;
    }
    fputs(first ? "  blank: not tried\n" : "\n  blank: not tried\n", f);
}

void heatmap_print(FILE *f, const struct db_group *g, struct block usual, int colour)
{
    struct map m = {.group = g, .usual = usual, .colour = colour};
    m.widths = list_sides(g, 0, m.width);
    m.heights = list_sides(g, 1, m.height);
    m.cell = 2 * m.widths <= COLUMNS ? 2 : 1;
    const int across = COLUMNS / m.cell;
    for (int from = 0; from < m.widths; from += across) {
        const int to = from + across < m.widths ? from + across : m.widths;
        print_widths(f, &m, from, to);
        for (int j = 0; j < m.heights; j++) {
            fprintf(f, "%*d ", MARGIN - 1, m.height[j]);
            for (int k = from; k < to; k++)
                print_cell(f, &m, find(&m, m.width[k], m.height[j]));
            fputc('\n', f);
        }
    }
    if (g->ok)
        print_legend(f, &m);
    print_failures(f, g);
}
