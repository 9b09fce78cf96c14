/* Figures of a report: a script for each in figures/ beside it, and gnuplot's drawing. */
#ifndef SHOAL_DRAWINGS_H
#define SHOAL_DRAWINGS_H

#include "core/base/output_file.h"
#include "core/picture/gnuplot.h"

struct drawing {
    char name[160], caption[800]; /* figures/NAME.gp and figures/NAME.svg */
    char script[PATH_LENGTH];
    struct gnuplot_run run;
};

struct drawings {
    const char *folder; /* of the report */
    int count, no_gnuplot;
    struct drawing *at;
    struct outfile file; /* the script that is being written */
};

/* Looks for gnuplot, and warns where there is none; ends with drawings_free. */
void drawings_open(struct drawings *d, const char *folder);
void drawings_free(struct drawings *d);

/* Begins a script, with the common variables: home, number. */
enum err drawing_begin(struct drawings *d, const char *name, FILE **script);

/* Ends it with the template plots/verify/TEMPLATE.gp, after plots/verify/common.gp and what `set` says. */
enum err drawing_end(struct drawings *d, FILE *script, const char *set, const char *template,
                     const char *caption);

/* Draws them all, several at a time. Fails if the machine does; warns if gnuplot does. */
enum err drawings_make(struct drawings *d);

/* The picture and its caption, or gnuplot's error message. */
void drawing_show(const struct drawing *d, FILE *f);

/* A note if there is no gnuplot. */
void drawings_missing(const struct drawings *d, FILE *f);

#endif
