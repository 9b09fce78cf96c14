/* Figures: an experiment's tables for a device, drawn by gnuplot. */
#ifndef SHOAL_DRAW_H
#define SHOAL_DRAW_H

#include "plots/data/facts.h"

enum { FIGURE_SVG = 1, FIGURE_PDF = 2, FIGURE_PNG = 4, FIGURE_TERMINAL = 8 };

/* An experiment on a device, evaluated and drawn. */
struct figure {
    struct experiment experiment;
    /* the latest environment of the rows; NULL: the figure is the same for all, or shows all */
    const struct plot_device *device;
    struct database *database; /* of the device, or of all */
    int several;               /* a device's rows are from several environments */
    struct plot_tables tables;
    struct facts facts;
    struct claims claims;
    char stem[PATH_LENGTH]; /* file name without ending: "dt-factor-nvidia-h200"; "initial-state" */
    char caption[2048],
        foot[1024]; /* filled in; foot: device, driver, compiler, commit, date, texts */
};

/* Reads tables, evaluates facts and claims, fills in texts, for the device of this first
 * environment. ERR_OK also if rows are missing: see tables.present. */
enum err figure_open(struct figure *f, const char *experiment, const struct plot_devices *all,
                     const struct plot_device *device);
void figure_close(struct figure *f);

/* Does the experiment have one figure for all devices? ([draw] devices = all, or nothing measured) */
int figure_is_common(const struct experiment *x);

/* Writes FOLDER/data/STEM.tsv (and .gp, what gnuplot reads) for each figure that has data, and draws
 * it in the formats as FOLDER/STEM.svg, ...: several at a time. Files appear by rename. Fails with
 * ERR_CHECK, gnuplot's message and the figure's name, if one cannot be drawn. FIGURE_TERMINAL draws to
 * stdout and writes nothing. */
enum err figures_draw(struct figure *const figures[], int count, const char *folder, int formats);

/* The shapes of data for templates: [draw] shape = . Each writes the data of a figure, and the
 * gnuplot variables that describe them, before the template. */
struct drawing_files {
    FILE *data;            /* STEM.tsv */
    FILE *script;          /* STEM.gp, before the template is loaded */
    const char *data_name; /* as the script calls it */
};
typedef enum err shape_write(const struct figure *f, const struct drawing_files *files);
shape_write shape_series, shape_heatmap, shape_surface;

/* Tables ([draw] shape = table): the first table's rows as text for a terminal, Markdown, LaTeX. */
enum table_form { TABLE_TEXT, TABLE_MARKDOWN, TABLE_TEX };
enum err table_print(const struct figure *f, enum table_form form, FILE *to);
int figure_is_table(const struct experiment *x);

#endif
