/* The page around a picture, drawn by gnuplot: title, time, axes, colour bar. One gnuplot draws all
 * pages; the pixels go to it as they are. */
#ifndef SHOAL_RENDER_PAGE_H
#define SHOAL_RENDER_PAGE_H

#include "core/base/subprocess.h"
#include "plots/render/map.h"

struct page {
    int width, height;               /* pixels, even */
    int x, y, box_w, box_h;          /* where the picture goes, from the lower left corner */
    double zoom;                     /* size of letters, 1 on a page of 1280 x 800 */
    int axes;                        /* the picture is a map: x and y stand at its edges */
    double west, east, south, north; /* of the map, m */
    char title[256], note[256];      /* above and below the picture; "": none */
    const struct shown *shown;
    struct scale scale;
};

/* Finds the size of the picture on the page: that of a map this many metres wide and high, or
 * without axes the whole page. Without a width the page fits the picture. */
void page_lay_out(struct page *p, double metres_x, double metres_y);

/* Starts gnuplot in `folder`, where the files go. */
enum err page_begin(const struct page *p, struct program *gnuplot, const char *folder);

/* Draws a page to the file `name`, which must need no quoting; `time` is above it at the right. */
enum err page_draw(const struct page *p, struct program *gnuplot, const char *name,
                   const char *time, const unsigned char *rgb);

/* Text for a page: without control characters, and UTF-8 throughout. */
void page_clean(char *text);

#endif
