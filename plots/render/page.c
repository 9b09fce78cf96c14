/* Lays out pages, and writes gnuplot's commands. Texts of the file reach gnuplot in single quotes,
 * where nothing is a command, and on one line. */
#include "plots/render/page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/picture/gnuplot.h"

/* In pixels of a page of ordinary size: margins, and the least and largest sizes of a page. */
enum { LEFT = 76, RIGHT = 132, TOP = 58, BOTTOM = 62, ROOMY_WIDTH = 1280, ROOMY_HEIGHT = 800 };
enum { PLAIN_LEFT = 30, VIEW_HEIGHT = 720 };                          /* without axes */
enum { DIGIT = 9, USUAL_DIGITS = 4, LABEL_ROW = 40, MOST_TICKS = 8 }; /* of labels at the axes */
enum { LEAST_BOX = 220, BAR_WIDTH = 16, BAR_GAP = 22, KILOMETRES_FROM = 10000 };

/* The smallest scale of letters, relative to an ordinary page. */
static const double SMALLEST = 0.6;

/* The least thickness of a map: otherwise a channel would be a line. */
static const double FLATTEST = 1.0 / 6;

static double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Metres in a unit of the axes. */
static double unit_of(const struct page *p)
{
    return p->east - p->west >= KILOMETRES_FROM ? 1000 : 1;
}

/* 1, 2 or 5 times a power of ten, and at least x. */
static double round_up(double x)
{
    const double power = pow(10, floor(log10(x))), part = x / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Characters of the longest label at an axis from `low` to `high` whose ticks are `step` apart. */
static int label_length(double low, double high, double step)
{
    char text[2][48];
    const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    snprintf(text[0], sizeof text[0], "%.*f", decimals, low);
    snprintf(text[1], sizeof text[1], "%.*f", decimals, high);
    const size_t n = strlen(text[0]), m = strlen(text[1]);
    return (int)(n > m ? n : m);
}

/* The distance of ticks along an axis of `pixels`, whose labels take `each` of them. */
static double tick_step(double low, double high, double pixels, double each)
{
    return round_up((high - low) / between(floor(pixels / each), 1, MOST_TICKS));
}

/* The extra room at the left that labels of y need. */
static double wider(const struct page *p)
{
    const double unit = unit_of(p), low = p->south / unit, high = p->north / unit;
    const int n = high > low ? label_length(low, high, round_up((high - low) / MOST_TICKS)) : 0;
    return n > USUAL_DIGITS ? (n - USUAL_DIGITS) * DIGIT : 0;
}

static int even(double x)
{
    return 2 * (int)(x / 2);
}

void page_lay_out(struct page *p, double metres_x, double metres_y)
{
    const int free_size = p->width == 0, high = p->axes ? ROOMY_HEIGHT + 120 : VIEW_HEIGHT;
    const double room = fmin(p->width / (double)ROOMY_WIDTH, p->height / (double)ROOMY_HEIGHT);
    p->zoom = free_size ? 1 : fmax(room, SMALLEST);
    const double left = (p->axes ? LEFT + wider(p) : PLAIN_LEFT) * p->zoom,
                 bottom = BOTTOM * p->zoom;
    const double across = left + RIGHT * p->zoom, up = bottom + TOP * p->zoom;
    const double most_w = (free_size ? ROOMY_WIDTH : p->width) - across,
                 most_h = (free_size ? high : p->height) - up;
    const double shape =
        p->axes ? between(metres_y / metres_x, FLATTEST, 1 / FLATTEST) : most_h / most_w;
    const double w = fmin(most_w, most_h / shape), h = w * shape;
    p->box_w = w < 2 ? 2 : (int)w;
    p->box_h = h < 2 ? 2 : (int)h;
    if (free_size) {
        p->width = even(fmax(w, 2 * LEAST_BOX) + across);
        p->height = even(fmax(h, LEAST_BOX) + up);
    }
    p->x = (int)(left + (p->width - across - w) / 2);
    p->y = (int)(bottom + (p->height - up - h) / 2);
}

/* A well-formed UTF-8 sequence at `s`: its bytes; 0: it is none. */
static int sequence(const unsigned char *s)
{
    const int n = s[0] < 0x80   ? 1
                  : s[0] < 0xc2 ? 0
                  : s[0] < 0xe0 ? 2
                  : s[0] < 0xf0 ? 3
                  : s[0] < 0xf5 ? 4
                                : 0;
    for (int k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80)
            return 0;
    return n;
}

void page_clean(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        const int n = sequence(s);
        if (n == 0 || *s < ' ' || *s == 0x7f)
            *s = n == 0 ? '?' : ' ';
        s += n ? n : 1;
    }
}

static void text(FILE *f, const char *words)
{
    char clean[1024];
    snprintf(clean, sizeof clean, "%s", words);
    page_clean(clean);
    gnuplot_text(f, clean);
}

/* As many ticks as have room for their labels. */
static void write_ticks(const struct page *p, FILE *f)
{
    const double unit = unit_of(p), digit = DIGIT * p->zoom;
    const double west = p->west / unit, east = p->east / unit;
    const int letters = label_length(west, east, round_up((east - west) / MOST_TICKS));
    fprintf(f,
            "set tics out nomirror scale 0.5 textcolor rgb '#222222'\n"
            "set format xy '%%.12g'\n"
            "set xtics %.17g offset 0,0.2\nset ytics %.17g offset 0.4,0\n",
            tick_step(west, east, p->box_w, (letters + 3) * digit),
            tick_step(p->south / unit, p->north / unit, p->box_h, LABEL_ROW * p->zoom));
}

/* A scale bar at the lower right, if coordinates are far from 0 and say little. */
static void write_scale_bar(const struct page *p, FILE *f)
{
    const double wide = p->east - p->west, high = p->north - p->south;
    const double length = round_up(wide / 8), end = 0.97 - length / wide;
    const double up = 16 * p->zoom / p->box_h;
    if (fmax(fabs(p->west), fabs(p->south)) < 10 * fmax(wide, high))
        return;
    fprintf(f,
            "set object 1 rectangle from graph %.6f,%.6f to graph 0.985,%.6f front fillcolor rgb "
            "'#ffffff' fillstyle transparent solid 0.7 noborder\n"
            "set arrow 1 from graph %.6f,%.6f to graph 0.97,%.6f heads size screen 0.004,90 front "
            "linecolor rgb '#222222' linewidth %.3g\n"
            "set label 4 '%.6g %s' at graph %.6f,%.6f center front font ',10' textcolor rgb "
            "'#222222'\n",
            end - 0.015, 0.5 * up, 3 * up, end, up, up, 1.6 * p->zoom,
            length / (length >= 1000 ? 1000 : 1), length >= 1000 ? "km" : "m", 0.5 * (end + 0.97),
            2.1 * up);
}

static void write_axes(const struct page *p, FILE *f)
{
    const double unit = unit_of(p);
    fprintf(f, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", p->west / unit,
            p->east / unit, p->south / unit, p->north / unit);
    if (!p->axes) {
        fputs("unset tics\nset border 0\n", f);
        return;
    }
    fprintf(f, "set border 15 linecolor rgb '#444444' linewidth %.3g\n", 0.8 * p->zoom);
    write_ticks(p, f);
    write_scale_bar(p, f);
    fprintf(f, "set xlabel 'x (%s)' offset 0,0.3\nset ylabel 'y (%s)' offset 1,0\n",
            unit > 1 ? "km" : "m", unit > 1 ? "km" : "m");
}

static void write_palette(const struct page *p, FILE *f)
{
    enum { COLOURS = 128 };
    fputs("set palette model RGB file '-' using 1:2:3:4\n", f);
    for (int k = 0; k <= COLOURS; k++) {
        const struct colour c = colour_map_at(p->shown->map, (float)k / COLOURS);
        fprintf(f, "%d %.4f %.4f %.4f\n", k, (double)c.r, (double)c.g, (double)c.b);
    }
    fputs("e\nset palette maxcolors 0\n", f);
}

static void write_bar(const struct page *p, FILE *f)
{
    char label[sizeof p->shown->label + sizeof p->shown->units + 8];
    const double least = 160 * p->zoom, h = fmin(fmax(p->box_h, least), 460 * p->zoom);
    const double x = p->x + p->box_w + BAR_GAP * p->zoom, y = p->y + 0.5 * (p->box_h - h);
    write_palette(p, f);
    snprintf(label, sizeof label, *p->shown->units ? "%s (%s)" : "%s", p->shown->label,
             p->shown->units);
    fprintf(f,
            "set cbrange [%.17g:%.17g]\n"
            "set colorbox vertical user origin screen %.6f,%.6f size screen %.6f,%.6f noborder\n"
            "set cbtics out nomirror scale 0.4 offset -0.6,0 textcolor rgb '#222222'\n"
            "set format cb '%%.10g'\n",
            p->scale.low, p->scale.high, x / p->width, y / p->height,
            BAR_WIDTH * p->zoom / p->width, h / p->height);
    if (p->scale.above > p->scale.high)
        fprintf(f, "set cbtics add ('> %.10g' %.17g)\n", p->scale.high, p->scale.high);
    fputs("set cblabel ", f);
    text(f, label);
    fputs(" offset 0.6,0 noenhanced\n", f);
}

enum err page_begin(const struct page *p, struct program *gnuplot, const char *folder)
{
    const char *const argv[] = {"gnuplot", "-d", NULL};
    TRY(program_start(gnuplot, argv, folder, 1, "gnuplot-nox"));
    FILE *f = gnuplot->to;
    fprintf(f,
            "set terminal pngcairo size %d,%d font 'DejaVu Sans,11' fontscale %.4f "
            "background '#ffffff'\n"
            "set encoding utf8\nunset key\n"
            "set lmargin at screen %.8f\nset rmargin at screen %.8f\n"
            "set bmargin at screen %.8f\nset tmargin at screen %.8f\n",
            p->width, p->height, p->zoom, (double)p->x / p->width,
            (double)(p->x + p->box_w) / p->width, (double)p->y / p->height,
            (double)(p->y + p->box_h) / p->height);
    write_axes(p, f);
    write_bar(p, f);
    fputs("set label 1 ", f);
    text(f, p->title);
    fprintf(f, " at screen %.6f,%.6f left noenhanced font ',13' textcolor rgb '#111111'\n",
            (double)p->x / p->width, (p->y + p->box_h + 22 * p->zoom) / p->height);
    fputs("set label 3 ", f);
    text(f, p->note);
    fprintf(f, " at screen %.6f,%.6f right noenhanced font ',9' textcolor rgb '#555555'\n",
            (double)(p->x + p->box_w) / p->width, 16 * p->zoom / p->height);
    return ERR_OK;
}

enum err page_draw(const struct page *p, struct program *gnuplot, const char *name,
                   const char *time, const unsigned char *rgb)
{
    FILE *f = gnuplot->to;
    const double unit = unit_of(p);
    const double dx = (p->east - p->west) / unit / p->box_w,
                 dy = (p->north - p->south) / unit / p->box_h;
    const size_t bytes = 3 * (size_t)p->box_w * (size_t)p->box_h;
    fprintf(f, "set output '%s'\nset label 2 ", name);
    text(f, time);
    fprintf(f, " at screen %.6f,%.6f right noenhanced font ',13' textcolor rgb '#111111'\n",
            (double)(p->x + p->box_w) / p->width, (p->y + p->box_h + 22 * p->zoom) / p->height);
    fprintf(f,
            "plot '-' binary array=(%d,%d) format='%%uchar' origin=(%.17g,%.17g) dx=%.17g "
            "dy=%.17g using 1:2:3 with rgbimage, NaN with points palette\n",
            p->box_w, p->box_h, p->west / unit + 0.5 * dx, p->south / unit + 0.5 * dy, dx, dy);
    errno = 0;
    if (fwrite(rgb, 1, bytes, f) == bytes && fputs("unset output\n", f) >= 0)
        return ERR_OK;
    if (errno == EPIPE)
        return program_end(gnuplot); /* says why it stopped reading */
    FAIL(MACHINE, "cannot write to gnuplot: %s", strerror(errno));
}
