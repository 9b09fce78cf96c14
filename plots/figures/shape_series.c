/* The shape of most figures: series of points over x, in panels. */
#include "plots/figures/series.h"

const char *const series_keys[] = {"shape",         "template", "table",    "devices",
                                   "size",          "columns",  "x",        "y",
                                   "panel",         "series",   "low",      "high",
                                   "label",         "by",       "x-label",  "y-label",
                                   "x-scale",       "y-scale",  "x-low",    "x-high",
                                   "y-low",         "y-high",   "x-tics",   "y-tics",
                                   "y-range",       "style",    "key",      "mark",
                                   "exact",         "zoom",     "stack",    "below",
                                   "below-label",   "y2",       "y2-label", "panel-titles",
                                   "series-titles", "x-titles", NULL};

enum err shape_series(const struct figure *f, const struct drawing_files *files)
{
    struct series s;
    enum err e = series_create(&s, f);
    if (!e)
        e = series_script(&s, f, files);
    if (!e)
        series_write(&s, files->data);
    series_free(&s);
    return e;
}
