/* From a file to pictures: reads, scales, draws, delivers. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/decimal.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/raster/raster.h"
#include "core/registry/registry.h"
#include "core/base/signals.h"
#include "plots/render/destination.h"
#include "plots/render/map_tiles.h"
#include "plots/render/page.h"
#include "plots/render/relief_view.h"
#include "plots/render/scale.h"

enum { MESH = 1000 }; /* corners along the longer side of a view from the side */

/* The state of a set of pictures. */
struct rendering {
    const struct settings *settings;
    struct ncrecords file;
    struct shown shown;
    struct chosen chosen;
    struct planes planes;
    struct map map;
    struct relief_view relief;
    struct map_tiles tiles;
    struct page page;
    struct delivery delivery;
    struct program gnuplot;
    float *value, *depth, *bed;
    float *terrain; /* of a file that is not netCDF; else null */
    unsigned char *rgb;
};

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    signalled = number;
    program_interrupt();
}

/* The cells of `n` whose middle lies between a and b. */
static void cells_between(double start, double size, int n, double a, double b, int *first,
                          int *count)
{
    const double from = fmax(ceil((a - start) / size - 0.5), 0),
                 to = fmin(floor((b - start) / size - 0.5), n - 1);
    *first = (int)fmin(from, n);
    *count = to >= from ? (int)(to - from) + 1 : 0;
}

static enum err choose_window(struct rendering *r)
{
    const struct grid_info *g = &r->file.grid;
    struct ncwindow *w = &r->planes.window;
    char text[sizeof r->settings->region], *rest = text;
    double p[4];
    *w = (struct ncwindow){0, 0, g->nx, g->ny};
    if (!*r->settings->region)
        return ERR_OK;
    strcpy(text, r->settings->region);
    for (int k = 0; k < 4; k++) {
        const char *word = strsep(&rest, ",");
        p[k] = word ? decimal_read(word) : (double)NAN;
        if (isnan(p[k]) || (k == 3 && rest))
            FAIL(USAGE, "--region: expected X0,Y0,X1,Y1 in m, got '%s'", r->settings->region);
    }
    cells_between(g->x0, g->dx, g->nx, fmin(p[0], p[2]), fmax(p[0], p[2]), &w->i, &w->nx);
    cells_between(g->y0, g->dy, g->ny, fmin(p[1], p[3]), fmax(p[1], p[3]), &w->j, &w->ny);
    if (w->nx < 1 || w->ny < 1)
        FAIL(USAGE, "--region %s contains no cells: %s has x from %g to %g, y from %g to %g",
             r->settings->region, r->file.path, g->x0, g->x0 + g->nx * g->dx, g->y0,
             g->y0 + g->ny * g->dy);
    return ERR_OK;
}

static enum err read_size(const char *text, struct page *p)
{
    enum { LEAST = 160, MOST = 16384 };
    char *end = NULL;
    if (!*text)
        return ERR_OK;
    const long w = strtol(text, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < LEAST || h < LEAST || w > MOST || h > MOST)
        FAIL(USAGE, "--size: expected WIDTHxHEIGHT with both from %d to %d, got '%s'", LEAST, MOST,
             text);
    p->width = (int)(w - w % 2); /* films want even ones */
    p->height = (int)(h - h % 2);
    return ERR_OK;
}

static void write_title(struct rendering *r)
{
    char name[128];
    struct page *p = &r->page;
    ncrecords_text(&r->file, "case", name, sizeof name);
    const struct flow_case *known = find_case(name);
    const char *slash = strrchr(r->file.path, '/');
    const char *text = *r->settings->title ? r->settings->title
                       : known             ? known->title
                       : *name             ? name
                                           : (slash ? slash + 1 : r->file.path);
    snprintf(p->title, sizeof p->title, "%s", text);
    if (!*r->settings->title && known && p->title[0] >= 'a' && p->title[0] <= 'z')
        p->title[0] = (char)(p->title[0] - 'a' + 'A');
}

static enum err prepare_page(struct rendering *r)
{
    const struct grid_info *g = &r->file.grid;
    const struct ncwindow *w = &r->planes.window;
    struct page *p = &r->page;
    p->axes = r->settings->view == FROM_ABOVE;
    p->shown = &r->shown;
    p->west = g->x0 + w->i * g->dx;
    p->east = p->west + w->nx * g->dx;
    p->south = g->y0 + w->j * g->dy;
    p->north = p->south + w->ny * g->dy;
    TRY(read_size(r->settings->size, p));
    page_lay_out(p, p->east - p->west, p->north - p->south);
    write_title(r);
    return ERR_OK;
}

static enum err prepare_planes(struct rendering *r)
{
    const int side = r->settings->view == FROM_THE_SIDE;
    r->planes.file = &r->file;
    r->planes.shown = &r->shown;
    /* In a side view a square that is half wet and half a cliff would have water half-way up:
     * squares are smaller there. */
    TRY(planes_open(&r->planes, side ? 2 * MESH : r->page.box_w, side ? 2 * MESH : r->page.box_h));
    const size_t squares = (size_t)r->planes.nx * (size_t)r->planes.ny;
    r->value = malloc(squares * sizeof *r->value);
    r->depth = malloc(squares * sizeof *r->depth);
    r->bed = malloc(squares * sizeof *r->bed);
    r->rgb = malloc(3 * (size_t)r->page.box_w * (size_t)r->page.box_h);
    if (!r->value || !r->depth || !r->bed || !r->rgb)
        FAIL(MEMORY, "no memory for a picture of %d x %d pixels", r->page.box_w, r->page.box_h);
    TRY(planes_choose_dry(&r->planes, r->settings->dry, r->chosen.record[r->chosen.count - 1],
                          r->value, r->depth));
    if (*r->settings->range)
        TRY(scale_read(&r->page.scale, r->settings->range));
    else
        TRY(scale_find(&r->page.scale, &r->planes, &r->chosen, r->value, r->depth));
    return planes_bed(&r->planes, r->bed);
}

static enum err prepare_tiles(struct rendering *r)
{
    if (!r->settings->tiles)
        return ERR_OK;
    if (r->settings->view == FROM_THE_SIDE)
        FAIL(USAGE, "--tiles: outlines are drawn on maps only: leave out --view 3d, or --tiles");
    const enum err e =
        map_tiles_open(&r->tiles, &r->file, r->planes.window, r->page.box_w, r->page.box_h);
    if (e == ERR_USAGE)
        err_context("--tiles");
    return e;
}

static enum err prepare_map(struct rendering *r, int width, int height)
{
    r->map = (struct map){.planes = &r->planes,
                          .bed = r->bed,
                          .scale = r->page.scale,
                          .width = width,
                          .height = height,
                          .cells = r->settings->cells};
    return map_open(&r->map);
}

/* Heights from the lowest land to the highest land or water, by the first record. */
static enum err find_heights(struct rendering *r)
{
    struct relief_view *v = &r->relief;
    v->low = (double)INFINITY;
    v->high = -(double)INFINITY;
    TRY(planes_read(&r->planes, r->chosen.record[0], r->value, r->depth));
    for (size_t k = 0; k < (size_t)r->planes.nx * (size_t)r->planes.ny; k++) {
        const double z = (double)r->bed[k], h = isnan(r->value[k]) ? 0 : (double)r->depth[k];
        if (isnan(z) || isnan(h))
            FAIL(USAGE, "--view 3d needs a bed and depths everywhere, and %s lacks them",
                 r->file.path);
        v->low = fmin(v->low, z);
        v->high = fmax(v->high, z + h);
    }
    return ERR_OK;
}

static enum err prepare_relief(struct rendering *r)
{
    const struct settings *s = r->settings;
    struct relief_view *v = &r->relief;
    if (r->planes.nx < 2 || r->planes.ny < 2)
        FAIL(USAGE, "--view 3d needs two cells in each direction at least");
    *v = (struct relief_view){.map = &r->map,
                              .metres_x = r->page.east - r->page.west,
                              .metres_y = r->page.north - r->page.south,
                              .azimuth = s->azimuth,
                              .elevation = s->elevation,
                              .stretch = isnan(s->exaggeration) ? 0 : s->exaggeration};
    const double across = fmax(v->metres_x, v->metres_y);
    TRY(prepare_map(r, 2 + (int)(MESH * v->metres_x / across),
                    2 + (int)(MESH * v->metres_y / across)));
    TRY(find_heights(r));
    TRY(relief_view_open(v, r->page.box_w, r->page.box_h));
    if (v->stretch != 1)
        snprintf(r->page.note, sizeof r->page.note, "heights drawn %g times as high", v->stretch);
    return ERR_OK;
}

/* The total time is known when a few are drawn; without a terminal report it once. */
static void show_progress(int k, int count, double began)
{
    enum { FEW = 3, LONG = 10 };
    const double left = k > 0 ? (seconds() - began) / k * (count - k) : 0;
    char more[48] = "";
    if (k >= FEW)
        snprintf(more, sizeof more, ", about %.0f s more", ceil(left));
    if (isatty(STDERR_FILENO) && count > 1 && k < count)
        fprintf(stderr, "\rpicture %d of %d%s\033[K", k + 1, count, more);
    else if (isatty(STDERR_FILENO) && count > 1)
        fprintf(stderr, "\r\033[K");
    else if (k == FEW && left > LONG)
        log_info("%d pictures take about %.0f s more", count - k, ceil(left));
}

static enum err draw(struct rendering *r, int k)
{
    char name[DELIVERY_NAME], time[TIME_TEXT + 4] = "";
    const size_t record = r->chosen.record[k];
    if (r->shown.timed) {
        strcpy(time, "t = ");
        time_text(r->file.time[record], r->chosen.decimals, time + 4);
    }
    TRY(planes_read(&r->planes, record, r->value, r->depth));
    if (r->settings->view == FROM_ABOVE)
        map_draw(&r->map, r->value, r->depth, r->rgb);
    else
        relief_view_draw(&r->relief, r->value, r->depth, r->rgb);
    if (r->settings->tiles) /* what does not change is shown with those stored at the end */
        TRY(map_tiles_draw(&r->tiles, r->shown.timed ? record : r->file.records - 1, r->rgb));
    delivery_name(k, name);
    r->delivery.count = k + 1;
    return page_draw(&r->page, &r->gnuplot, name, time, r->rgb);
}

static enum err draw_all(struct rendering *r)
{
    const double began = seconds();
    TRY(page_begin(&r->page, &r->gnuplot, r->delivery.temporary));
    for (int k = 0; k < r->chosen.count && !signalled; k++) {
        show_progress(k, r->chosen.count, began);
        TRY(draw(r, k));
    }
    TRY(program_end(&r->gnuplot));
    TRY(delivery_check(&r->delivery, r->chosen.record));
    return r->delivery.film.path ? delivery_film(&r->delivery, r->settings->fps) : ERR_OK;
}

/* Terrain that is not netCDF, as a file with only a bed. */
static enum err open_terrain(struct rendering *r, const char *path)
{
    static const struct ncvariable bed = {.name = "bed", .title = "bed level", .units = "m"};
    struct raster terrain;
    TRY(raster_read(path, QUANTITY_TERRAIN, &terrain));
    const size_t n = (size_t)terrain.grid.nx * (size_t)terrain.grid.ny;
    r->terrain = malloc(n * sizeof *r->terrain);
    for (size_t k = 0; r->terrain && k < n; k++)
        r->terrain[k] = (float)terrain.value[k];
    ncrecords_take(&r->file, path, &terrain.grid, &bed, r->terrain);
    raster_free(&terrain);
    if (!r->terrain)
        FAIL(MEMORY, "%s: no memory to draw it", path);
    return ERR_OK;
}

static enum err open_file(struct rendering *r, const char *path)
{
    const size_t n = strlen(path);
    int netcdf = n > 3 && strcmp(path + n - 3, ".nc") == 0; /* or meant to be */
    if (!netcdf)
        TRY(raster_is_netcdf(path, &netcdf));
    return netcdf ? ncrecords_open(&r->file, path) : open_terrain(r, path);
}

static enum err prepare_and_draw(struct rendering *r, const char *path)
{
    const struct settings *s = r->settings;
    TRY(open_file(r, path));
    TRY(shown_choose(&r->shown, &r->file, s->variable));
    TRY(destination_records(&r->chosen, s, &r->file, &r->shown));
    TRY(choose_window(r));
    TRY(prepare_page(r));
    TRY(prepare_tiles(r));
    TRY(destination_open(&r->delivery, s, &r->file, &r->shown, r->chosen.count));
    signals_catch(on_signal, SA_RESTART);
    TRY(prepare_planes(r));
    TRY(r->settings->view == FROM_ABOVE ? prepare_map(r, r->page.box_w, r->page.box_h)
                                        : prepare_relief(r));
    const enum err e = draw_all(r);
    show_progress(r->chosen.count, r->chosen.count, 0);
    if (signalled)
        FAIL(STOPPED, "stopped by a signal: no pictures were kept");
    TRY(e);
    return delivery_publish(&r->delivery, r->chosen.record);
}

enum err render(const struct settings *s, const char *path)
{
    static struct rendering r;
    r = (struct rendering){.settings = s};
    const enum err e = prepare_and_draw(&r, path);
    program_kill(&r.gnuplot);
    delivery_discard(&r.delivery);
    map_close(&r.map);
    relief_view_close(&r.relief);
    map_tiles_close(&r.tiles);
    planes_close(&r.planes);
    chosen_free(&r.chosen);
    ncrecords_close(&r.file);
    free(r.value);
    free(r.depth);
    free(r.bed);
    free(r.terrain);
    free(r.rgb);
    return e;
}
