/* The generated files for the paper, with every number it may mention. */
#ifndef SHOAL_PAPER_H
#define SHOAL_PAPER_H

#include "plots/gallery/gallery_parts.h"

/* Writes into the gallery's folder paper/, in the words that paper/shoal.sty defines:
 *   facts.tex    every fact of every device, pictures, tables, verdicts, environments, counts
 *   claims.tex   the table of all claims
 *   artifacts.tex  every experiment: what it shows, its set-up, what it takes, its rows and where they are from
 * paper/README.md lists the names. The folder must exist. */
enum err paper_write(const struct gallery *g);

/* artifacts.tex alone. */
enum err paper_artifacts(const struct gallery *g);

#endif
