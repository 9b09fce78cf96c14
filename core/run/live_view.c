/* When to draw a picture of a run, its look, and its place in the terminal. */
#include "core/run/live_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/mesh/forest.h"
#include "core/picture/hill_shading.h"
#include "core/picture/round_numbers.h"
#include "core/picture/terminal_picture.h"
#include "core/picture/tile_outlines.h"
#include "core/base/monotonic_time.h"

/* Least number of seconds between pictures; and the least ratio of that to the drawing time. */
static const double PERIOD = 0.25, RARELY = 25;

/* Waves are lit as if they were steeper, but the largest depth at most appears as half the length
 * of the domain: rounding would look like a storm. */
static const double STEEPEST = 0.5;

/* The colours' range shrinks when the water is shallower than it by this factor. */
static const double SHALLOWER = 0.4;

/* The least visible depth: a share of the largest one, but at most a centimetre. Water hides the
 * land at this multiple of it. */
static const double DRY_SHARE = 0.005, DRY_MOST = 0.01;
static const float OPAQUE = 20, FAINTEST = 0.45f, WAVES = 0.45f;

/* What an outline of a tile leaves of a colour, and its letter. */
static const float DARKENED = 0;
static const char OUTLINE = '#';

static const char letters[] = ".:-=+*%@"; /* for water, shallow to deep */

enum { STATUS_ROW = 0, FIRST_ROW = 1, BAR_LETTERS = 24, LINE_LENGTH = 256 };

struct live {
    struct sim *sim;
    struct screen screen;
    struct live_picture picture;
    struct tile_outlines outlines; /* of a sparse domain; of others without pixels */
    unsigned char *stored;         /* of each tile, when the latest samples were taken */
    void *room;                    /* latest samples */
    int sampled;                   /* some are not drawn yet */
    int left, top;                 /* of the picture, characters */
    double next;                   /* time of the next picture, s */
    char title[LINE_LENGTH];
};

int live_possible(char *why, size_t n)
{
    return screen_find(why, n) != SCREEN_NONE;
}

void live_fit(double metres_x, double metres_y, int columns, int rows, int *width, int *height)
{
    const double shape = metres_y / metres_x;
    const double w = fmin(columns, 2 * rows / shape);
    *width = w > 1 ? (int)w : 1;
    *height = (int)ceil(w * shape);
    *height += *height % 2;
    *height = *height < 2 ? 2 : *height > 2 * rows ? 2 * rows : *height;
    while ((long)*width * *height > SAMPLES) {
        *width = *width / 2 + 1;
        *height = *height / 4 * 2 + 2;
    }
}

static void free_picture(struct live *l)
{
    struct live_picture *p = &l->picture;
    free(p->level);
    free(p->bed);
    free(p->land);
    free(p->light);
    free(p->work);
    free(l->room);
    p->level = p->bed = p->land = p->light = p->work = NULL;
    l->room = NULL;
    p->width = p->height = 0;
}

static double extent(const struct live *l, int along_y)
{
    const struct grid_info *g = &l->sim->grid;
    return along_y != l->sim->turned ? g->ny * g->dy : g->nx * g->dx;
}

/* The first cells of the columns of tiles, or of the rows. */
static int *first_cells(const struct tiles *t, int of_rows)
{
    const int n = of_rows ? t->rows : t->columns;
    int *begin = malloc((size_t)n * sizeof *begin);
    if (!begin)
        return NULL;
    for (int k = 0; k < n; k++) {
        const struct window w = tiles_window(t, of_rows ? k * t->columns : k);
        begin[k] = of_rows ? w.j0 : w.i0;
    }
    return begin;
}

/* x of the picture may be y of the simulation. */
static enum err lay_out_outlines(struct live *l)
{
    const struct sim *s = l->sim;
    const struct tiles *t = &s->tiles;
    int *columns = NULL, *rows = NULL;
    tile_outlines_free(&l->outlines);
    if (!s->forest)
        return ERR_OK;
    if (!l->stored)
        l->stored = calloc((size_t)tiles_count(t), 1);
    columns = first_cells(t, 0);
    rows = first_cells(t, 1);
    const struct tile_axis axis[2] = {{columns, t->columns, 0, t->nx}, {rows, t->rows, 0, t->ny}};
    const struct tile_axis seen[2] = {axis[s->turned], axis[!s->turned]};
    enum err e = l->stored && columns && rows ? ERR_OK : ERR_MEMORY;
    if (e)
        err_keep(e, __FILE__, __LINE__, "no memory for the outlines of tiles");
    else
        e = tile_outlines_open(&l->outlines, seen, l->picture.width, l->picture.height);
    free(columns);
    free(rows);
    return e;
}

/* The picture for the terminal's size. */
static enum err lay_out(struct live *l)
{
    struct live_picture *p = &l->picture;
    const int last = l->screen.rows >= 8; /* room for the legend */
    const int rows = l->screen.rows - FIRST_ROW - last;
    free_picture(l);
    live_fit(extent(l, 0), extent(l, 1), l->screen.columns, rows > 1 ? rows : 1, &p->width,
             &p->height);
    l->left = (l->screen.columns - p->width) / 2;
    l->top = FIRST_ROW + (rows > p->height / 2 ? (rows - p->height / 2) / 2 : 0);
    p->metres_x = extent(l, 0) / p->width;
    p->metres_y = extent(l, 1) / p->height;
    const size_t n = (size_t)p->width * (size_t)p->height;
    p->level = malloc(n * sizeof *p->level);
    p->bed = malloc(n * sizeof *p->bed);
    p->land = malloc(n * sizeof *p->land);
    p->light = malloc(n * sizeof *p->light);
    p->work = malloc(n * sizeof *p->work);
    l->room = malloc(2 * n * sizeof(double));
    if (!p->level || !p->bed || !p->land || !p->light || !p->work || !l->room)
        FAIL(MEMORY, "no memory for --live");
    return lay_out_outlines(l);
}

enum err live_begin(struct live **out, struct sim *s, const char *title)
{
    char why[128];
    struct live *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        FAIL(MEMORY, "no memory for --live");
    l->sim = s;
    l->screen.kind = screen_find(why, sizeof why);
    snprintf(l->title, sizeof l->title, "%s", title);
    *out = l;
    return ERR_OK;
}

/* Less water is not shown. */
static float dry(const struct live_picture *p)
{
    return (float)fmin(DRY_MOST, DRY_SHARE * p->high);
}

static int is_wet(const struct live_picture *p, size_t k)
{
    return p->level[k] - p->bed[k] > dry(p); /* a NaN is dry */
}

/* The range follows the water, but not every wave. */
static void find_ranges(struct live_picture *p)
{
    double deepest = 0;
    p->bottom = INFINITY;
    p->top = -INFINITY;
    for (size_t k = 0; k < (size_t)p->width * (size_t)p->height; k++) {
        const double h = (double)(p->level[k] - p->bed[k]);
        deepest = h > deepest && !isinf(h) ? h : deepest;
        p->bottom = fminf(p->bottom, p->bed[k]);
        p->top = fmaxf(p->top, p->bed[k]);
    }
    if (deepest > p->high || (deepest > 0 && deepest < SHALLOWER * p->high))
        p->high = round_up(deepest);
}

void live_light(struct live_picture *p)
{
    const size_t n = (size_t)p->width * (size_t)p->height;
    find_ranges(p);
    hill_shading_shade(p->bed, p->width, p->height, p->metres_x, p->metres_y,
                       hill_shading_stretch(p->bed, p->width, p->height, p->metres_x, p->metres_y),
                       p->land);
    for (size_t k = 0; k < n; k++)
        p->work[k] = is_wet(p, k) ? p->level[k] : NAN;
    const double most = STEEPEST * fmax(p->width * p->metres_x, p->height * p->metres_y) / p->high;
    const double stretch =
        fmin(hill_shading_stretch(p->work, p->width, p->height, p->metres_x, p->metres_y), most);
    if (stretch > 0 && (p->stretch == 0 || stretch < p->stretch))
        p->stretch = stretch;
    hill_shading_shade(p->work, p->width, p->height, p->metres_x, p->metres_y, p->stretch,
                       p->light);
}

struct colour live_colour(const struct live_picture *p, int i, int j, char *letter)
{
    const size_t k = (size_t)j * (size_t)p->width + (size_t)i;
    const float depth = p->level[k] - p->bed[k], share = depth / (float)p->high;
    const float height = p->top > p->bottom ? (p->bed[k] - p->bottom) / (p->top - p->bottom) : 0.4f;
    const struct colour land = colour_lit(colour_map_at(MAP_LAND, height), p->land[k]);
    *letter = ' ';
    if (p->land[k] < 0.85f)
        *letter = p->land[k] < 0.6f ? '"' : '\'';
    if (!is_wet(p, k))
        return land;
    const int count = (int)sizeof letters - 1, at = (int)(share * (float)count);
    *letter = letters[at < count ? at : count - 1];
    const float t = depth / (OPAQUE * dry(p));
    const struct colour water =
        colour_lit(colour_map_at(MAP_DEPTH, share), 1 + WAVES * (p->light[k] - 1));
    return colour_mix(land, water, FAINTEST + (1 - FAINTEST) * (t < 1 ? t : 1));
}

/* The colour of a sample, or of an outline over it. */
static struct colour seen_colour(const struct live *l, int i, int j, char *letter)
{
    const struct colour c = live_colour(&l->picture, i, j, letter);
    const int columns = l->sim->tiles.columns, turned = l->sim->turned;
    const int step[2] = {turned ? columns : 1, turned ? 1 : columns};
    if (!l->sim->forest || !tile_outlines_at(&l->outlines, l->stored, step, i, j))
        return c;
    *letter = OUTLINE;
    return colour_lit(c, DARKENED);
}

static void draw_picture(struct live *l)
{
    const struct live_picture *p = &l->picture;
    for (int j = 0; j < p->height; j += 2) {
        for (int i = 0; i < p->width; i++) {
            char letter, upper_letter;
            const struct colour lower = seen_colour(l, i, j, &letter),
                                upper = seen_colour(l, i, j + 1, &upper_letter);
            screen_put(&l->screen, l->left + i, l->top + p->height / 2 - 1 - j / 2, upper, lower,
                       letter);
        }
    }
}

static int count_stored(const struct live *l)
{
    int n = 0;
    for (int k = 0; k < l->sim->forest->tiles; k++)
        n += l->stored[k];
    return n;
}

/* The legend: "depth 0 ######## 2.5 m"; of a sparse domain with the number of its tiles. */
static void draw_bar(struct live *l, int row)
{
    char text[128];
    const struct forest *f = l->sim->forest;
    const int count = (int)sizeof letters - 1, at = (int)strlen("depth 0 ");
    screen_write(&l->screen, 0, row, "depth 0 ");
    for (int k = 0; k < BAR_LETTERS; k++) {
        const struct colour c = colour_map_at(MAP_DEPTH, ((float)k + 0.5f) / BAR_LETTERS);
        screen_put(&l->screen, at + k, row, c, c, letters[k * count / BAR_LETTERS]);
    }
    const int n = snprintf(text, sizeof text, " %g m", l->picture.high);
    if (f)
        snprintf(text + n, sizeof text - (size_t)n, "   %d of %d tiles are stored", count_stored(l),
                 f->tiles);
    screen_write(&l->screen, at + BAR_LETTERS, row, text);
}

static void compose(struct live *l, const char *status)
{
    char line[2 * LINE_LENGTH];
    live_light(&l->picture);
    screen_clear(&l->screen);
    const int room = (int)(strlen(l->title) + 2 + strlen(status)) <= l->screen.columns;
    snprintf(line, sizeof line, "%s%s%s", room ? l->title : "", room ? "  " : "", status);
    screen_write(&l->screen, 0, STATUS_ROW, line);
    draw_picture(l);
    if (l->screen.rows >= 8)
        draw_bar(l, l->screen.rows - 1);
}

static enum err take_samples(struct live *l)
{
    struct live_picture *p = &l->picture;
    if (screen_measure(&l->screen))
        TRY(l->screen.rows ? lay_out(l) : ERR_MEMORY);
    for (int k = 0; l->sim->forest && k < l->sim->forest->tiles; k++)
        l->stored[k] = l->sim->forest->slot[k] >= 0;
    return sim_sample(l->sim, p->width, p->height, l->room, p->level, p->bed);
}

/* Without pictures the run continues. */
static void give_up(struct live *l)
{
    screen_leave(&l->screen);
    log_hold(0);
    log_warning("--live ends here: %s", err_message());
    l->next = (double)INFINITY;
}

void live_update(struct live *l, const char *status)
{
    if (!l)
        return;
    const double now = seconds();
    if (l->sampled) {
        log_hold(1);
        compose(l, status);
        screen_show(&l->screen);
        l->sampled = 0;
        l->next = now + fmax(PERIOD, RARELY * (seconds() - now));
    } else if (now >= l->next) {
        if (take_samples(l))
            give_up(l);
        else
            l->sampled = 1;
    }
}

void live_end(struct live **out, int stay)
{
    struct live *l = *out;
    *out = NULL;
    if (!l)
        return;
    const int shown = l->screen.entered && !isinf(l->next);
    if (stay && shown && !take_samples(l)) {
        compose(l, "");
        screen_leave(&l->screen);
        screen_print(&l->screen, l->top, l->picture.height / 2);
        if (l->screen.rows >= 8)
            screen_print(&l->screen, l->screen.rows - 1, 1);
    }
    screen_leave(&l->screen);
    log_hold(0);
    screen_free(&l->screen);
    free_picture(l);
    tile_outlines_free(&l->outlines);
    free(l->stored);
    free(l);
}
