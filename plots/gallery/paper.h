/* The generated files for the paper, with every number it may mention. */
#ifndef SHOAL_PAPER_H
#define SHOAL_PAPER_H

#include "plots/gallery/gallery_parts.h"

/* Writes into the gallery's folder paper/, in the words that paper/shoal.sty defines:
 *   facts.tex    every fact of every device, pictures, tables, verdicts, environments, counts
 *   claims.tex   the table of all claims
 *   devices.tex  the table of devices, with how many verdicts each has
 *   artifacts.tex  every experiment: what it shows, its set-up, what it takes, its claims, its rows and where they are
 *                  from; and where other numbers are from
 * paper/README.md lists the names. The folder must exist. */
enum err paper_write(const struct gallery *g);

/* The last two alone. */
enum err paper_devices(const struct gallery *g);
enum err paper_artifacts(const struct gallery *g);

/* A number, or a word, under a name of printf's format. */
void paper_fact(FILE *f, double x, const char *name, ...) __attribute__((format(printf, 3, 4)));
void paper_word(FILE *f, const char *text, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* The facts count/..., interval/... and shoal/... */
void paper_counts(const struct gallery *g, FILE *f);

/* How many verdicts of each kind a device has on published claims. Returns the number of those that were judged. */
int paper_verdicts_on(const struct gallery *g, const char *device, int verdicts[VERDICTS]);

/* Bytes: what was drawn of all experiments, or of one; and its rows in the database. */
long paper_drawn_bytes(const struct gallery *g);
long paper_exhibit_bytes(const struct gallery *g, const struct exhibit *x);
long paper_row_bytes(const struct gallery *g, const struct experiment *x);

#endif
